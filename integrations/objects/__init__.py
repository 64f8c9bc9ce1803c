"""The port `ObjectStore`: a folder, or a bucket that speaks S3."""
