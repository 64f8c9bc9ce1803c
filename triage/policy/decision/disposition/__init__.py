"""What sort of matter a mail is: verdicts of mail servers, signs, the text classifier, and the policy over them."""
