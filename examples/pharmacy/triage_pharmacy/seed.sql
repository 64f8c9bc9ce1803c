-- Invented pharmacies, drugs and stock.
INSERT OR IGNORE INTO pharmacies VALUES
    ('brno-lipa', 'Lékárna U Lípy', 'Brno', 'Mo-Fr 8-18'),
    ('brno-most', 'Lékárna Na Mostě', 'Brno', 'Mo-Sa 7-20'),
    ('ostrava-hut', 'Lékárna U Huti', 'Ostrava', 'Mo-Fr 8-17'),
    ('praha-vez', 'Lékárna Pod Věží', 'Praha', 'Mo-Su 7-21');
INSERT OR IGNORE INTO drugs VALUES
    ('horecin-500', 'Horečin 500', 'paracetamol', '24 tablets of 500 mg', 0, 49),
    ('horecin-syrup', 'Horečin sirup', 'paracetamol', 'syrup for children, 100 ml', 0, 112),
    ('bolestal-400', 'Bolestal 400', 'ibuprofen', '30 tablets of 400 mg', 0, 89),
    ('alergin-10', 'Alergin 10', 'cetirizin', '30 tablets of 10 mg', 0, 135),
    ('tlakomir-5', 'Tlakomír 5', 'amlodipin', '30 tablets of 5 mg', 1, 96),
    ('infekton-500', 'Infekton 500', 'amoxicilin', '16 capsules of 500 mg', 1, 148),
    ('spanek-forte', 'Spánek forte', 'zolpidem', '20 tablets of 10 mg', 1, 173);
INSERT OR IGNORE INTO stock VALUES
    ('brno-lipa', 'horecin-500', 14), ('brno-lipa', 'bolestal-400', 3), ('brno-lipa', 'tlakomir-5', 2),
    ('brno-most', 'horecin-500', 40), ('brno-most', 'alergin-10', 6), ('brno-most', 'infekton-500', 1),
    ('ostrava-hut', 'bolestal-400', 1), ('ostrava-hut', 'horecin-syrup', 5),
    ('praha-vez', 'horecin-500', 0), ('praha-vez', 'bolestal-400', 22), ('praha-vez', 'tlakomir-5', 8);
