-- Invented members, experiences and reservations.
INSERT OR IGNORE INTO users VALUES
    ('u-001', 'Alma Reyes', 'alma@members.example', 0),
    ('u-002', 'Bruno Teles', 'bruno@members.example', 0),
    ('u-003', 'Chidi Okafor', 'chidi@members.example', 1),
    ('u-004', 'Dana Levi', 'dana@members.example', 0);
INSERT OR IGNORE INTO subscriptions VALUES
    ('s-001', 'u-001', 'active', 'premium', 8, '2026-02-01', '2027-01-31'),
    ('s-002', 'u-002', 'active', 'basic', 4, '2026-06-15', '2027-06-14'),
    ('s-003', 'u-003', 'cancelled', 'vip', 16, '2025-09-01', '2026-08-31');
INSERT OR IGNORE INTO experiences VALUES
    ('e-100', 'Lantern walk in the old harbour', 'A guide tells tales of smugglers.', '2026-12-04', 12, 0, 18),
    ('e-101', 'Night at the opera', 'Stalls, with a glass in the interval.', '2026-12-11', 3, 1, 60),
    ('e-102', 'Pottery for beginners', 'Two hours at the wheel.', '2026-12-13', 0, 0, 35),
    ('e-103', 'Jazz in the boiler house', 'A trio between old machines.', '2026-12-19', 40, 0, 24),
    ('e-104', 'Private view with the curator', 'Before the museum opens.', '2027-01-09', 6, 1, 75);
INSERT OR IGNORE INTO reservations VALUES
    ('r-500', 'u-001', 'e-101', 'confirmed', '2026-11-02 19:20'),
    ('r-501', 'u-001', 'e-100', 'cancelled', '2026-10-21 08:05'),
    ('r-502', 'u-002', 'e-103', 'confirmed', '2026-11-11 12:00'),
    ('r-503', 'u-002', 'e-100', 'completed', '2026-09-30 17:45');
