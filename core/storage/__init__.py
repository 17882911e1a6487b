"""The only SQL of CaseRounds: tables, migrations, repositories, and the image store."""
