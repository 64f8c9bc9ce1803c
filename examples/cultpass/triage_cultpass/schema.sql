CREATE TABLE IF NOT EXISTS users (
    user_id TEXT PRIMARY KEY,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    is_blocked INTEGER NOT NULL CHECK (is_blocked IN (0, 1))
);
CREATE TABLE IF NOT EXISTS subscriptions (
    subscription_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE REFERENCES users (user_id),
    status TEXT NOT NULL CHECK (status IN ('active', 'expired', 'cancelled')),
    tier TEXT NOT NULL CHECK (tier IN ('basic', 'premium', 'vip')),
    monthly_quota INTEGER NOT NULL,
    start_date TEXT NOT NULL,
    end_date TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS experiences (
    experience_id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    day TEXT NOT NULL,
    available_slots INTEGER NOT NULL CHECK (available_slots >= 0),
    is_premium INTEGER NOT NULL CHECK (is_premium IN (0, 1)),
    price_eur INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS reservations (
    reservation_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (user_id),
    experience_id TEXT NOT NULL REFERENCES experiences (experience_id),
    status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled', 'completed', 'refunded')),
    reserved_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS reservations_by_user ON reservations (user_id);
CREATE TABLE IF NOT EXISTS refunds (
    reservation_id TEXT PRIMARY KEY REFERENCES reservations (reservation_id),
    amount_eur INTEGER NOT NULL,
    reason TEXT NOT NULL,
    refunded_at TEXT NOT NULL
);
-- What a call that writes has answered: the same call again gets the same answer and does nothing.
CREATE TABLE IF NOT EXISTS calls (
    once TEXT PRIMARY KEY,
    answer TEXT NOT NULL
);
