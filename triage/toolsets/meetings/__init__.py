"""The toolset about meetings: when our people are busy and free."""
