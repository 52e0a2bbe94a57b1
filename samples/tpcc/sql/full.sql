-- As the specification has it: items, and customers of a district.
INSERT INTO SCALE VALUES (10, 100000, 3000);
