"""How a mail is answered: what its writer wants, which tools help, in which words, how sure it is and who decides."""
