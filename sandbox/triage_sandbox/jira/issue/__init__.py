"""Operations on issues: read, create, change, move, delete, with the change history of each."""
