-- Every account gets the next number, of which Data Center makes its key: JIRAUSER10100, JIRAUSER10200.

CREATE TRIGGER IF NOT EXISTS account_numbered AFTER INSERT ON account WHEN NEW.number IS NULL
BEGIN
    UPDATE account SET number = (SELECT coalesce(max(number), 10000) + 100 FROM account) WHERE id = NEW.id;
END;
