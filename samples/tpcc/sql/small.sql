-- One small warehouse: for tests and for a first look.
INSERT INTO SCALE VALUES (1, 1000, 30);
