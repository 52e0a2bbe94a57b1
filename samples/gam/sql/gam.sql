-- Made by ../generate. Run it once: transom sql . --in sql/gam.sql
CREATE TABLE MALLUSER
  (USERID   CHAR(8)  NOT NULL,
   PASSWORD CHAR(8)  NOT NULL,
   NAME     CHAR(20) NOT NULL,
   PRIMARY KEY (USERID));
CREATE TABLE MAKE
  (ID         SMALLINT     NOT NULL,
   NAME       CHAR(12)     NOT NULL,
   COUNTRY    CHAR(20)     NOT NULL,
   DEALERS    INTEGER      NOT NULL,
   FROM_PRICE DECIMAL(9,2) NOT NULL,
   PRIMARY KEY (ID));
CREATE TABLE MODEL
  (MAKE  SMALLINT     NOT NULL,
   ID    SMALLINT     NOT NULL,
   NAME  CHAR(12)     NOT NULL,
   KIND  CHAR(20)     NOT NULL,
   STOCK INTEGER      NOT NULL,
   PRICE DECIMAL(9,2) NOT NULL,
   PAGES SMALLINT     NOT NULL,
   PRIMARY KEY (MAKE, ID));
CREATE TABLE PAGE
  (MAKE    SMALLINT NOT NULL,
   MODEL   SMALLINT NOT NULL,
   NUMBER  SMALLINT NOT NULL,
   SUBJECT CHAR(40) NOT NULL,
   PRIMARY KEY (MAKE, MODEL, NUMBER));
CREATE TABLE FACT
  (MAKE  SMALLINT NOT NULL,
   MODEL SMALLINT NOT NULL,
   PAGE  SMALLINT NOT NULL,
   LINE  SMALLINT NOT NULL,
   NAME  CHAR(24) NOT NULL,
   INFO  CHAR(48) NOT NULL,
   PRIMARY KEY (MAKE, MODEL, PAGE, LINE));

-- Users USER0001 to USER5000; the password of all of them is MALL.
CREATE TABLE DIGIT (D INTEGER NOT NULL PRIMARY KEY);
INSERT INTO DIGIT VALUES (0);
INSERT INTO DIGIT VALUES (1);
INSERT INTO DIGIT VALUES (2);
INSERT INTO DIGIT VALUES (3);
INSERT INTO DIGIT VALUES (4);
INSERT INTO DIGIT VALUES (5);
INSERT INTO DIGIT VALUES (6);
INSERT INTO DIGIT VALUES (7);
INSERT INTO DIGIT VALUES (8);
INSERT INTO DIGIT VALUES (9);
INSERT INTO MALLUSER
  SELECT 'USER' || SUBSTR(DIGITS(1000 * A.D + 100 * B.D + 10 * C.D + E.D + 1), 7, 4), 'MALL',
         'Guest ' || SUBSTR(DIGITS(1000 * A.D + 100 * B.D + 10 * C.D + E.D + 1), 7, 4)
    FROM DIGIT A, DIGIT B, DIGIT C, DIGIT E WHERE A.D < 5;

INSERT INTO MAKE VALUES (1, 'TOYOTA', 'Japan', 241, 21900.00);
INSERT INTO MAKE VALUES (2, 'CHEVROLET', 'United States', 302, 25100.00);
INSERT INTO MAKE VALUES (3, 'HONDA', 'Japan', 363, 23950.00);

INSERT INTO MODEL VALUES (1, 1, 'CAMRY', 'Sedan', 412, 26420.00, 10);
INSERT INTO PAGE VALUES (1, 1, 1, 'Overview');
INSERT INTO FACT VALUES (1, 1, 1, 1, 'Body', 'OVERVIEW-1101  order code 8670, as built');
INSERT INTO FACT VALUES (1, 1, 1, 2, 'Doors', 'OVERVIEW-1102  order code 8707, as built');
INSERT INTO FACT VALUES (1, 1, 1, 3, 'Seats', 'OVERVIEW-1103  order code 8744, as built');
INSERT INTO FACT VALUES (1, 1, 1, 4, 'Length', 'OVERVIEW-1104  order code 8781, as built');
INSERT INTO FACT VALUES (1, 1, 1, 5, 'Width', 'OVERVIEW-1105  order code 8818, as built');
INSERT INTO FACT VALUES (1, 1, 1, 6, 'Height', 'OVERVIEW-1106  order code 8855, as built');
INSERT INTO FACT VALUES (1, 1, 1, 7, 'Wheelbase', 'OVERVIEW-1107  order code 8892, as built');
INSERT INTO FACT VALUES (1, 1, 1, 8, 'Weight', 'OVERVIEW-1108  order code 8929, as built');
INSERT INTO FACT VALUES (1, 1, 1, 9, 'Trunk', 'OVERVIEW-1109  order code 8966, as built');
INSERT INTO FACT VALUES (1, 1, 1, 10, 'Tank', 'OVERVIEW-1110  order code 9003, as built');
INSERT INTO FACT VALUES (1, 1, 1, 11, 'Turning circle', 'OVERVIEW-1111  order code 9040, as built');
INSERT INTO FACT VALUES (1, 1, 1, 12, 'Assembled', 'OVERVIEW-1112  order code 9077, as built');
INSERT INTO FACT VALUES (1, 1, 1, 13, 'Warranty', 'OVERVIEW-1113  order code 9114, as built');
INSERT INTO FACT VALUES (1, 1, 1, 14, 'Delivery', 'OVERVIEW-1114  order code 9151, as built');
INSERT INTO FACT VALUES (1, 1, 1, 15, 'Remark', 'OVERVIEW-1115  order code 9188, as built');
INSERT INTO PAGE VALUES (1, 1, 2, 'Engine');
INSERT INTO FACT VALUES (1, 1, 2, 1, 'Type', 'ENGINE-1101  order code 8771, as built');
INSERT INTO FACT VALUES (1, 1, 2, 2, 'Displacement', 'ENGINE-1102  order code 8808, as built');
INSERT INTO FACT VALUES (1, 1, 2, 3, 'Power', 'ENGINE-1103  order code 8845, as built');
INSERT INTO FACT VALUES (1, 1, 2, 4, 'Torque', 'ENGINE-1104  order code 8882, as built');
INSERT INTO FACT VALUES (1, 1, 2, 5, 'Bore and stroke', 'ENGINE-1105  order code 8919, as built');
INSERT INTO FACT VALUES (1, 1, 2, 6, 'Compression', 'ENGINE-1106  order code 8956, as built');
INSERT INTO FACT VALUES (1, 1, 2, 7, 'Valves', 'ENGINE-1107  order code 8993, as built');
INSERT INTO FACT VALUES (1, 1, 2, 8, 'Fuel', 'ENGINE-1108  order code 9030, as built');
INSERT INTO FACT VALUES (1, 1, 2, 9, 'Injection', 'ENGINE-1109  order code 9067, as built');
INSERT INTO FACT VALUES (1, 1, 2, 10, 'Cooling', 'ENGINE-1110  order code 9104, as built');
INSERT INTO FACT VALUES (1, 1, 2, 11, 'Emissions', 'ENGINE-1111  order code 9141, as built');
INSERT INTO FACT VALUES (1, 1, 2, 12, 'Oil', 'ENGINE-1112  order code 9178, as built');
INSERT INTO FACT VALUES (1, 1, 2, 13, 'Start and stop', 'ENGINE-1113  order code 9215, as built');
INSERT INTO FACT VALUES (1, 1, 2, 14, 'Noise', 'ENGINE-1114  order code 9252, as built');
INSERT INTO FACT VALUES (1, 1, 2, 15, 'Remark', 'ENGINE-1115  order code 9289, as built');
INSERT INTO PAGE VALUES (1, 1, 3, 'Transmission');
INSERT INTO FACT VALUES (1, 1, 3, 1, 'Type', 'TRANSMISSION-1101  order code 8872, as built');
INSERT INTO FACT VALUES (1, 1, 3, 2, 'Gears', 'TRANSMISSION-1102  order code 8909, as built');
INSERT INTO FACT VALUES (1, 1, 3, 3, 'First', 'TRANSMISSION-1103  order code 8946, as built');
INSERT INTO FACT VALUES (1, 1, 3, 4, 'Second', 'TRANSMISSION-1104  order code 8983, as built');
INSERT INTO FACT VALUES (1, 1, 3, 5, 'Third', 'TRANSMISSION-1105  order code 9020, as built');
INSERT INTO FACT VALUES (1, 1, 3, 6, 'Fourth', 'TRANSMISSION-1106  order code 9057, as built');
INSERT INTO FACT VALUES (1, 1, 3, 7, 'Fifth', 'TRANSMISSION-1107  order code 9094, as built');
INSERT INTO FACT VALUES (1, 1, 3, 8, 'Sixth', 'TRANSMISSION-1108  order code 9131, as built');
INSERT INTO FACT VALUES (1, 1, 3, 9, 'Reverse', 'TRANSMISSION-1109  order code 9168, as built');
INSERT INTO FACT VALUES (1, 1, 3, 10, 'Final drive', 'TRANSMISSION-1110  order code 9205, as built');
INSERT INTO FACT VALUES (1, 1, 3, 11, 'Driven wheels', 'TRANSMISSION-1111  order code 9242, as built');
INSERT INTO FACT VALUES (1, 1, 3, 12, 'Differential', 'TRANSMISSION-1112  order code 9279, as built');
INSERT INTO FACT VALUES (1, 1, 3, 13, 'Clutch', 'TRANSMISSION-1113  order code 9316, as built');
INSERT INTO FACT VALUES (1, 1, 3, 14, 'Oil', 'TRANSMISSION-1114  order code 9353, as built');
INSERT INTO FACT VALUES (1, 1, 3, 15, 'Remark', 'TRANSMISSION-1115  order code 9390, as built');
INSERT INTO PAGE VALUES (1, 1, 4, 'Chassis and brakes');
INSERT INTO FACT VALUES (1, 1, 4, 1, 'Front suspension', 'CHASSIS-1101  order code 8973, as built');
INSERT INTO FACT VALUES (1, 1, 4, 2, 'Rear suspension', 'CHASSIS-1102  order code 9010, as built');
INSERT INTO FACT VALUES (1, 1, 4, 3, 'Steering', 'CHASSIS-1103  order code 9047, as built');
INSERT INTO FACT VALUES (1, 1, 4, 4, 'Turns of the wheel', 'CHASSIS-1104  order code 9084, as built');
INSERT INTO FACT VALUES (1, 1, 4, 5, 'Front brakes', 'CHASSIS-1105  order code 9121, as built');
INSERT INTO FACT VALUES (1, 1, 4, 6, 'Rear brakes', 'CHASSIS-1106  order code 9158, as built');
INSERT INTO FACT VALUES (1, 1, 4, 7, 'Parking brake', 'CHASSIS-1107  order code 9195, as built');
INSERT INTO FACT VALUES (1, 1, 4, 8, 'Anti-lock', 'CHASSIS-1108  order code 9232, as built');
INSERT INTO FACT VALUES (1, 1, 4, 9, 'Tyres', 'CHASSIS-1109  order code 9269, as built');
INSERT INTO FACT VALUES (1, 1, 4, 10, 'Wheels', 'CHASSIS-1110  order code 9306, as built');
INSERT INTO FACT VALUES (1, 1, 4, 11, 'Spare wheel', 'CHASSIS-1111  order code 9343, as built');
INSERT INTO FACT VALUES (1, 1, 4, 12, 'Clearance', 'CHASSIS-1112  order code 9380, as built');
INSERT INTO FACT VALUES (1, 1, 4, 13, 'Towing', 'CHASSIS-1113  order code 9417, as built');
INSERT INTO FACT VALUES (1, 1, 4, 14, 'Payload', 'CHASSIS-1114  order code 9454, as built');
INSERT INTO FACT VALUES (1, 1, 4, 15, 'Remark', 'CHASSIS-1115  order code 9491, as built');
INSERT INTO PAGE VALUES (1, 1, 5, 'Safety');
INSERT INTO FACT VALUES (1, 1, 5, 1, 'Front airbags', 'SAFETY-1101  order code 9074, as built');
INSERT INTO FACT VALUES (1, 1, 5, 2, 'Side airbags', 'SAFETY-1102  order code 9111, as built');
INSERT INTO FACT VALUES (1, 1, 5, 3, 'Belts', 'SAFETY-1103  order code 9148, as built');
INSERT INTO FACT VALUES (1, 1, 5, 4, 'Child seats', 'SAFETY-1104  order code 9185, as built');
INSERT INTO FACT VALUES (1, 1, 5, 5, 'Lane keeping', 'SAFETY-1105  order code 9222, as built');
INSERT INTO FACT VALUES (1, 1, 5, 6, 'Distance', 'SAFETY-1106  order code 9259, as built');
INSERT INTO FACT VALUES (1, 1, 5, 7, 'Emergency brake', 'SAFETY-1107  order code 9296, as built');
INSERT INTO FACT VALUES (1, 1, 5, 8, 'Blind spot', 'SAFETY-1108  order code 9333, as built');
INSERT INTO FACT VALUES (1, 1, 5, 9, 'Night vision', 'SAFETY-1109  order code 9370, as built');
INSERT INTO FACT VALUES (1, 1, 5, 10, 'Tyre pressure', 'SAFETY-1110  order code 9407, as built');
INSERT INTO FACT VALUES (1, 1, 5, 11, 'Alarm', 'SAFETY-1111  order code 9444, as built');
INSERT INTO FACT VALUES (1, 1, 5, 12, 'Immobilizer', 'SAFETY-1112  order code 9481, as built');
INSERT INTO FACT VALUES (1, 1, 5, 13, 'Crash test', 'SAFETY-1113  order code 9518, as built');
INSERT INTO FACT VALUES (1, 1, 5, 14, 'Recall', 'SAFETY-1114  order code 9555, as built');
INSERT INTO FACT VALUES (1, 1, 5, 15, 'Remark', 'SAFETY-1115  order code 9592, as built');
INSERT INTO PAGE VALUES (1, 1, 6, 'Interior');
INSERT INTO FACT VALUES (1, 1, 6, 1, 'Upholstery', 'INTERIOR-1101  order code 9175, as built');
INSERT INTO FACT VALUES (1, 1, 6, 2, 'Front seats', 'INTERIOR-1102  order code 9212, as built');
INSERT INTO FACT VALUES (1, 1, 6, 3, 'Rear seats', 'INTERIOR-1103  order code 9249, as built');
INSERT INTO FACT VALUES (1, 1, 6, 4, 'Steering wheel', 'INTERIOR-1104  order code 9286, as built');
INSERT INTO FACT VALUES (1, 1, 6, 5, 'Climate', 'INTERIOR-1105  order code 9323, as built');
INSERT INTO FACT VALUES (1, 1, 6, 6, 'Windows', 'INTERIOR-1106  order code 9360, as built');
INSERT INTO FACT VALUES (1, 1, 6, 7, 'Sun roof', 'INTERIOR-1107  order code 9397, as built');
INSERT INTO FACT VALUES (1, 1, 6, 8, 'Lights', 'INTERIOR-1108  order code 9434, as built');
INSERT INTO FACT VALUES (1, 1, 6, 9, 'Storage', 'INTERIOR-1109  order code 9471, as built');
INSERT INTO FACT VALUES (1, 1, 6, 10, 'Cup holders', 'INTERIOR-1110  order code 9508, as built');
INSERT INTO FACT VALUES (1, 1, 6, 11, 'Floor', 'INTERIOR-1111  order code 9545, as built');
INSERT INTO FACT VALUES (1, 1, 6, 12, 'Mirrors', 'INTERIOR-1112  order code 9582, as built');
INSERT INTO FACT VALUES (1, 1, 6, 13, 'Heating', 'INTERIOR-1113  order code 9619, as built');
INSERT INTO FACT VALUES (1, 1, 6, 14, 'Sound proofing', 'INTERIOR-1114  order code 9656, as built');
INSERT INTO FACT VALUES (1, 1, 6, 15, 'Remark', 'INTERIOR-1115  order code 9693, as built');
INSERT INTO PAGE VALUES (1, 1, 7, 'Audio and navigation');
INSERT INTO FACT VALUES (1, 1, 7, 1, 'Display', 'AUDIO-1101  order code 9276, as built');
INSERT INTO FACT VALUES (1, 1, 7, 2, 'Speakers', 'AUDIO-1102  order code 9313, as built');
INSERT INTO FACT VALUES (1, 1, 7, 3, 'Radio', 'AUDIO-1103  order code 9350, as built');
INSERT INTO FACT VALUES (1, 1, 7, 4, 'Telephone', 'AUDIO-1104  order code 9387, as built');
INSERT INTO FACT VALUES (1, 1, 7, 5, 'Navigation', 'AUDIO-1105  order code 9424, as built');
INSERT INTO FACT VALUES (1, 1, 7, 6, 'Voice', 'AUDIO-1106  order code 9461, as built');
INSERT INTO FACT VALUES (1, 1, 7, 7, 'Connections', 'AUDIO-1107  order code 9498, as built');
INSERT INTO FACT VALUES (1, 1, 7, 8, 'Charging', 'AUDIO-1108  order code 9535, as built');
INSERT INTO FACT VALUES (1, 1, 7, 9, 'Updates', 'AUDIO-1109  order code 9572, as built');
INSERT INTO FACT VALUES (1, 1, 7, 10, 'Cameras', 'AUDIO-1110  order code 9609, as built');
INSERT INTO FACT VALUES (1, 1, 7, 11, 'Parking aid', 'AUDIO-1111  order code 9646, as built');
INSERT INTO FACT VALUES (1, 1, 7, 12, 'Keys', 'AUDIO-1112  order code 9683, as built');
INSERT INTO FACT VALUES (1, 1, 7, 13, 'Remote start', 'AUDIO-1113  order code 9720, as built');
INSERT INTO FACT VALUES (1, 1, 7, 14, 'Subscription', 'AUDIO-1114  order code 9757, as built');
INSERT INTO FACT VALUES (1, 1, 7, 15, 'Remark', 'AUDIO-1115  order code 9794, as built');
INSERT INTO PAGE VALUES (1, 1, 8, 'Colours');
INSERT INTO FACT VALUES (1, 1, 8, 1, 'White', 'COLOURS-1101  order code 9377, as built');
INSERT INTO FACT VALUES (1, 1, 8, 2, 'Silver', 'COLOURS-1102  order code 9414, as built');
INSERT INTO FACT VALUES (1, 1, 8, 3, 'Grey', 'COLOURS-1103  order code 9451, as built');
INSERT INTO FACT VALUES (1, 1, 8, 4, 'Black', 'COLOURS-1104  order code 9488, as built');
INSERT INTO FACT VALUES (1, 1, 8, 5, 'Blue', 'COLOURS-1105  order code 9525, as built');
INSERT INTO FACT VALUES (1, 1, 8, 6, 'Dark blue', 'COLOURS-1106  order code 9562, as built');
INSERT INTO FACT VALUES (1, 1, 8, 7, 'Red', 'COLOURS-1107  order code 9599, as built');
INSERT INTO FACT VALUES (1, 1, 8, 8, 'Dark red', 'COLOURS-1108  order code 9636, as built');
INSERT INTO FACT VALUES (1, 1, 8, 9, 'Green', 'COLOURS-1109  order code 9673, as built');
INSERT INTO FACT VALUES (1, 1, 8, 10, 'Brown', 'COLOURS-1110  order code 9710, as built');
INSERT INTO FACT VALUES (1, 1, 8, 11, 'Beige', 'COLOURS-1111  order code 9747, as built');
INSERT INTO FACT VALUES (1, 1, 8, 12, 'Orange', 'COLOURS-1112  order code 9784, as built');
INSERT INTO FACT VALUES (1, 1, 8, 13, 'Yellow', 'COLOURS-1113  order code 9821, as built');
INSERT INTO FACT VALUES (1, 1, 8, 14, 'Two colours', 'COLOURS-1114  order code 9858, as built');
INSERT INTO FACT VALUES (1, 1, 8, 15, 'Remark', 'COLOURS-1115  order code 9895, as built');
INSERT INTO PAGE VALUES (1, 1, 9, 'Prices');
INSERT INTO FACT VALUES (1, 1, 9, 1, 'Base', '     26898,78  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 2, 'Line L', '     26935,15  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 3, 'Line LE', '     26972,52  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 4, 'Line XLE', '     27009,89  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 5, 'Line S', '     27046,26  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 6, 'Line SE', '     27083,63  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 7, 'Winter package', '     27120,00  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 8, 'Travel package', '     27157,37  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 9, 'Sound package', '     27194,74  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 10, 'Leather', '     27231,11  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 11, 'Roof', '     27268,48  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 12, 'Metallic paint', '     27305,85  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 13, 'Delivery', '     26442,22  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 14, 'Registration', '     26479,59  without tax');
INSERT INTO FACT VALUES (1, 1, 9, 15, 'Remark', '     26516,96  without tax');
INSERT INTO PAGE VALUES (1, 1, 10, 'Dealers');
INSERT INTO FACT VALUES (1, 1, 10, 1, 'Albany', '  20 cars, telephone 555-9579');
INSERT INTO FACT VALUES (1, 1, 10, 2, 'Boston', '  17 cars, telephone 555-9616');
INSERT INTO FACT VALUES (1, 1, 10, 3, 'Chicago', '  14 cars, telephone 555-9653');
INSERT INTO FACT VALUES (1, 1, 10, 4, 'Dallas', '  11 cars, telephone 555-9690');
INSERT INTO FACT VALUES (1, 1, 10, 5, 'Denver', '   8 cars, telephone 555-9727');
INSERT INTO FACT VALUES (1, 1, 10, 6, 'Detroit', '   5 cars, telephone 555-9764');
INSERT INTO FACT VALUES (1, 1, 10, 7, 'Houston', '   2 cars, telephone 555-9801');
INSERT INTO FACT VALUES (1, 1, 10, 8, 'Miami', '  39 cars, telephone 555-9838');
INSERT INTO FACT VALUES (1, 1, 10, 9, 'Newark', '  36 cars, telephone 555-9875');
INSERT INTO FACT VALUES (1, 1, 10, 10, 'Omaha', '  33 cars, telephone 555-9912');
INSERT INTO FACT VALUES (1, 1, 10, 11, 'Phoenix', '  30 cars, telephone 555-9949');
INSERT INTO FACT VALUES (1, 1, 10, 12, 'Portland', '  27 cars, telephone 555-9986');
INSERT INTO FACT VALUES (1, 1, 10, 13, 'Seattle', '  24 cars, telephone 555-0023');
INSERT INTO FACT VALUES (1, 1, 10, 14, 'Tampa', '  21 cars, telephone 555-0060');
INSERT INTO FACT VALUES (1, 1, 10, 15, 'Remark', '  18 cars, telephone 555-0097');

INSERT INTO MODEL VALUES (1, 2, 'COROLLA', 'Compact', 655, 21900.00, 1);
INSERT INTO PAGE VALUES (1, 2, 1, 'Overview');
INSERT INTO FACT VALUES (1, 2, 1, 1, 'Body', 'OVERVIEW-1201  order code 9283, as built');
INSERT INTO FACT VALUES (1, 2, 1, 2, 'Doors', 'OVERVIEW-1202  order code 9320, as built');
INSERT INTO FACT VALUES (1, 2, 1, 3, 'Seats', 'OVERVIEW-1203  order code 9357, as built');
INSERT INTO FACT VALUES (1, 2, 1, 4, 'Length', 'OVERVIEW-1204  order code 9394, as built');
INSERT INTO FACT VALUES (1, 2, 1, 5, 'Width', 'OVERVIEW-1205  order code 9431, as built');
INSERT INTO FACT VALUES (1, 2, 1, 6, 'Height', 'OVERVIEW-1206  order code 9468, as built');
INSERT INTO FACT VALUES (1, 2, 1, 7, 'Wheelbase', 'OVERVIEW-1207  order code 9505, as built');
INSERT INTO FACT VALUES (1, 2, 1, 8, 'Weight', 'OVERVIEW-1208  order code 9542, as built');
INSERT INTO FACT VALUES (1, 2, 1, 9, 'Trunk', 'OVERVIEW-1209  order code 9579, as built');
INSERT INTO FACT VALUES (1, 2, 1, 10, 'Tank', 'OVERVIEW-1210  order code 9616, as built');
INSERT INTO FACT VALUES (1, 2, 1, 11, 'Turning circle', 'OVERVIEW-1211  order code 9653, as built');
INSERT INTO FACT VALUES (1, 2, 1, 12, 'Assembled', 'OVERVIEW-1212  order code 9690, as built');
INSERT INTO FACT VALUES (1, 2, 1, 13, 'Warranty', 'OVERVIEW-1213  order code 9727, as built');
INSERT INTO FACT VALUES (1, 2, 1, 14, 'Delivery', 'OVERVIEW-1214  order code 9764, as built');
INSERT INTO FACT VALUES (1, 2, 1, 15, 'Remark', 'OVERVIEW-1215  order code 9801, as built');

INSERT INTO MODEL VALUES (1, 3, 'RAV4', 'Sport utility', 298, 28675.00, 1);
INSERT INTO PAGE VALUES (1, 3, 1, 'Overview');
INSERT INTO FACT VALUES (1, 3, 1, 1, 'Body', 'OVERVIEW-1301  order code 9896, as built');
INSERT INTO FACT VALUES (1, 3, 1, 2, 'Doors', 'OVERVIEW-1302  order code 9933, as built');
INSERT INTO FACT VALUES (1, 3, 1, 3, 'Seats', 'OVERVIEW-1303  order code 9970, as built');
INSERT INTO FACT VALUES (1, 3, 1, 4, 'Length', 'OVERVIEW-1304  order code 0007, as built');
INSERT INTO FACT VALUES (1, 3, 1, 5, 'Width', 'OVERVIEW-1305  order code 0044, as built');
INSERT INTO FACT VALUES (1, 3, 1, 6, 'Height', 'OVERVIEW-1306  order code 0081, as built');
INSERT INTO FACT VALUES (1, 3, 1, 7, 'Wheelbase', 'OVERVIEW-1307  order code 0118, as built');
INSERT INTO FACT VALUES (1, 3, 1, 8, 'Weight', 'OVERVIEW-1308  order code 0155, as built');
INSERT INTO FACT VALUES (1, 3, 1, 9, 'Trunk', 'OVERVIEW-1309  order code 0192, as built');
INSERT INTO FACT VALUES (1, 3, 1, 10, 'Tank', 'OVERVIEW-1310  order code 0229, as built');
INSERT INTO FACT VALUES (1, 3, 1, 11, 'Turning circle', 'OVERVIEW-1311  order code 0266, as built');
INSERT INTO FACT VALUES (1, 3, 1, 12, 'Assembled', 'OVERVIEW-1312  order code 0303, as built');
INSERT INTO FACT VALUES (1, 3, 1, 13, 'Warranty', 'OVERVIEW-1313  order code 0340, as built');
INSERT INTO FACT VALUES (1, 3, 1, 14, 'Delivery', 'OVERVIEW-1314  order code 0377, as built');
INSERT INTO FACT VALUES (1, 3, 1, 15, 'Remark', 'OVERVIEW-1315  order code 0414, as built');

INSERT INTO MODEL VALUES (2, 1, 'SILVERADO', 'Pickup', 187, 36800.00, 2);
INSERT INTO PAGE VALUES (2, 1, 1, 'Overview');
INSERT INTO FACT VALUES (2, 1, 1, 1, 'Body', 'OVERVIEW-2101  order code 6589, as built');
INSERT INTO FACT VALUES (2, 1, 1, 2, 'Doors', 'OVERVIEW-2102  order code 6626, as built');
INSERT INTO FACT VALUES (2, 1, 1, 3, 'Seats', 'OVERVIEW-2103  order code 6663, as built');
INSERT INTO FACT VALUES (2, 1, 1, 4, 'Length', 'OVERVIEW-2104  order code 6700, as built');
INSERT INTO FACT VALUES (2, 1, 1, 5, 'Width', 'OVERVIEW-2105  order code 6737, as built');
INSERT INTO FACT VALUES (2, 1, 1, 6, 'Height', 'OVERVIEW-2106  order code 6774, as built');
INSERT INTO FACT VALUES (2, 1, 1, 7, 'Wheelbase', 'OVERVIEW-2107  order code 6811, as built');
INSERT INTO FACT VALUES (2, 1, 1, 8, 'Weight', 'OVERVIEW-2108  order code 6848, as built');
INSERT INTO FACT VALUES (2, 1, 1, 9, 'Trunk', 'OVERVIEW-2109  order code 6885, as built');
INSERT INTO FACT VALUES (2, 1, 1, 10, 'Tank', 'OVERVIEW-2110  order code 6922, as built');
INSERT INTO FACT VALUES (2, 1, 1, 11, 'Turning circle', 'OVERVIEW-2111  order code 6959, as built');
INSERT INTO FACT VALUES (2, 1, 1, 12, 'Assembled', 'OVERVIEW-2112  order code 6996, as built');
INSERT INTO FACT VALUES (2, 1, 1, 13, 'Warranty', 'OVERVIEW-2113  order code 7033, as built');
INSERT INTO FACT VALUES (2, 1, 1, 14, 'Delivery', 'OVERVIEW-2114  order code 7070, as built');
INSERT INTO FACT VALUES (2, 1, 1, 15, 'Remark', 'OVERVIEW-2115  order code 7107, as built');
INSERT INTO PAGE VALUES (2, 1, 2, 'Engine');
INSERT INTO FACT VALUES (2, 1, 2, 1, 'Type', 'ENGINE-2101  order code 6690, as built');
INSERT INTO FACT VALUES (2, 1, 2, 2, 'Displacement', 'ENGINE-2102  order code 6727, as built');
INSERT INTO FACT VALUES (2, 1, 2, 3, 'Power', 'ENGINE-2103  order code 6764, as built');
INSERT INTO FACT VALUES (2, 1, 2, 4, 'Torque', 'ENGINE-2104  order code 6801, as built');
INSERT INTO FACT VALUES (2, 1, 2, 5, 'Bore and stroke', 'ENGINE-2105  order code 6838, as built');
INSERT INTO FACT VALUES (2, 1, 2, 6, 'Compression', 'ENGINE-2106  order code 6875, as built');
INSERT INTO FACT VALUES (2, 1, 2, 7, 'Valves', 'ENGINE-2107  order code 6912, as built');
INSERT INTO FACT VALUES (2, 1, 2, 8, 'Fuel', 'ENGINE-2108  order code 6949, as built');
INSERT INTO FACT VALUES (2, 1, 2, 9, 'Injection', 'ENGINE-2109  order code 6986, as built');
INSERT INTO FACT VALUES (2, 1, 2, 10, 'Cooling', 'ENGINE-2110  order code 7023, as built');
INSERT INTO FACT VALUES (2, 1, 2, 11, 'Emissions', 'ENGINE-2111  order code 7060, as built');
INSERT INTO FACT VALUES (2, 1, 2, 12, 'Oil', 'ENGINE-2112  order code 7097, as built');
INSERT INTO FACT VALUES (2, 1, 2, 13, 'Start and stop', 'ENGINE-2113  order code 7134, as built');
INSERT INTO FACT VALUES (2, 1, 2, 14, 'Noise', 'ENGINE-2114  order code 7171, as built');
INSERT INTO FACT VALUES (2, 1, 2, 15, 'Remark', 'ENGINE-2115  order code 7208, as built');

INSERT INTO MODEL VALUES (2, 2, 'MALIBU', 'Sedan', 240, 25100.00, 1);
INSERT INTO PAGE VALUES (2, 2, 1, 'Overview');
INSERT INTO FACT VALUES (2, 2, 1, 1, 'Body', 'OVERVIEW-2201  order code 7202, as built');
INSERT INTO FACT VALUES (2, 2, 1, 2, 'Doors', 'OVERVIEW-2202  order code 7239, as built');
INSERT INTO FACT VALUES (2, 2, 1, 3, 'Seats', 'OVERVIEW-2203  order code 7276, as built');
INSERT INTO FACT VALUES (2, 2, 1, 4, 'Length', 'OVERVIEW-2204  order code 7313, as built');
INSERT INTO FACT VALUES (2, 2, 1, 5, 'Width', 'OVERVIEW-2205  order code 7350, as built');
INSERT INTO FACT VALUES (2, 2, 1, 6, 'Height', 'OVERVIEW-2206  order code 7387, as built');
INSERT INTO FACT VALUES (2, 2, 1, 7, 'Wheelbase', 'OVERVIEW-2207  order code 7424, as built');
INSERT INTO FACT VALUES (2, 2, 1, 8, 'Weight', 'OVERVIEW-2208  order code 7461, as built');
INSERT INTO FACT VALUES (2, 2, 1, 9, 'Trunk', 'OVERVIEW-2209  order code 7498, as built');
INSERT INTO FACT VALUES (2, 2, 1, 10, 'Tank', 'OVERVIEW-2210  order code 7535, as built');
INSERT INTO FACT VALUES (2, 2, 1, 11, 'Turning circle', 'OVERVIEW-2211  order code 7572, as built');
INSERT INTO FACT VALUES (2, 2, 1, 12, 'Assembled', 'OVERVIEW-2212  order code 7609, as built');
INSERT INTO FACT VALUES (2, 2, 1, 13, 'Warranty', 'OVERVIEW-2213  order code 7646, as built');
INSERT INTO FACT VALUES (2, 2, 1, 14, 'Delivery', 'OVERVIEW-2214  order code 7683, as built');
INSERT INTO FACT VALUES (2, 2, 1, 15, 'Remark', 'OVERVIEW-2215  order code 7720, as built');

INSERT INTO MODEL VALUES (2, 3, 'EQUINOX', 'Sport utility', 321, 26600.00, 1);
INSERT INTO PAGE VALUES (2, 3, 1, 'Overview');
INSERT INTO FACT VALUES (2, 3, 1, 1, 'Body', 'OVERVIEW-2301  order code 7815, as built');
INSERT INTO FACT VALUES (2, 3, 1, 2, 'Doors', 'OVERVIEW-2302  order code 7852, as built');
INSERT INTO FACT VALUES (2, 3, 1, 3, 'Seats', 'OVERVIEW-2303  order code 7889, as built');
INSERT INTO FACT VALUES (2, 3, 1, 4, 'Length', 'OVERVIEW-2304  order code 7926, as built');
INSERT INTO FACT VALUES (2, 3, 1, 5, 'Width', 'OVERVIEW-2305  order code 7963, as built');
INSERT INTO FACT VALUES (2, 3, 1, 6, 'Height', 'OVERVIEW-2306  order code 8000, as built');
INSERT INTO FACT VALUES (2, 3, 1, 7, 'Wheelbase', 'OVERVIEW-2307  order code 8037, as built');
INSERT INTO FACT VALUES (2, 3, 1, 8, 'Weight', 'OVERVIEW-2308  order code 8074, as built');
INSERT INTO FACT VALUES (2, 3, 1, 9, 'Trunk', 'OVERVIEW-2309  order code 8111, as built');
INSERT INTO FACT VALUES (2, 3, 1, 10, 'Tank', 'OVERVIEW-2310  order code 8148, as built');
INSERT INTO FACT VALUES (2, 3, 1, 11, 'Turning circle', 'OVERVIEW-2311  order code 8185, as built');
INSERT INTO FACT VALUES (2, 3, 1, 12, 'Assembled', 'OVERVIEW-2312  order code 8222, as built');
INSERT INTO FACT VALUES (2, 3, 1, 13, 'Warranty', 'OVERVIEW-2313  order code 8259, as built');
INSERT INTO FACT VALUES (2, 3, 1, 14, 'Delivery', 'OVERVIEW-2314  order code 8296, as built');
INSERT INTO FACT VALUES (2, 3, 1, 15, 'Remark', 'OVERVIEW-2315  order code 8333, as built');

INSERT INTO MODEL VALUES (3, 1, 'ACCORD', 'Sedan', 367, 27295.00, 6);
INSERT INTO PAGE VALUES (3, 1, 1, 'Overview');
INSERT INTO FACT VALUES (3, 1, 1, 1, 'Body', 'OVERVIEW-3101  order code 4508, as built');
INSERT INTO FACT VALUES (3, 1, 1, 2, 'Doors', 'OVERVIEW-3102  order code 4545, as built');
INSERT INTO FACT VALUES (3, 1, 1, 3, 'Seats', 'OVERVIEW-3103  order code 4582, as built');
INSERT INTO FACT VALUES (3, 1, 1, 4, 'Length', 'OVERVIEW-3104  order code 4619, as built');
INSERT INTO FACT VALUES (3, 1, 1, 5, 'Width', 'OVERVIEW-3105  order code 4656, as built');
INSERT INTO FACT VALUES (3, 1, 1, 6, 'Height', 'OVERVIEW-3106  order code 4693, as built');
INSERT INTO FACT VALUES (3, 1, 1, 7, 'Wheelbase', 'OVERVIEW-3107  order code 4730, as built');
INSERT INTO FACT VALUES (3, 1, 1, 8, 'Weight', 'OVERVIEW-3108  order code 4767, as built');
INSERT INTO FACT VALUES (3, 1, 1, 9, 'Trunk', 'OVERVIEW-3109  order code 4804, as built');
INSERT INTO FACT VALUES (3, 1, 1, 10, 'Tank', 'OVERVIEW-3110  order code 4841, as built');
INSERT INTO FACT VALUES (3, 1, 1, 11, 'Turning circle', 'OVERVIEW-3111  order code 4878, as built');
INSERT INTO FACT VALUES (3, 1, 1, 12, 'Assembled', 'OVERVIEW-3112  order code 4915, as built');
INSERT INTO FACT VALUES (3, 1, 1, 13, 'Warranty', 'OVERVIEW-3113  order code 4952, as built');
INSERT INTO FACT VALUES (3, 1, 1, 14, 'Delivery', 'OVERVIEW-3114  order code 4989, as built');
INSERT INTO FACT VALUES (3, 1, 1, 15, 'Remark', 'OVERVIEW-3115  order code 5026, as built');
INSERT INTO PAGE VALUES (3, 1, 2, 'Engine');
INSERT INTO FACT VALUES (3, 1, 2, 1, 'Type', 'ENGINE-3101  order code 4609, as built');
INSERT INTO FACT VALUES (3, 1, 2, 2, 'Displacement', 'ENGINE-3102  order code 4646, as built');
INSERT INTO FACT VALUES (3, 1, 2, 3, 'Power', 'ENGINE-3103  order code 4683, as built');
INSERT INTO FACT VALUES (3, 1, 2, 4, 'Torque', 'ENGINE-3104  order code 4720, as built');
INSERT INTO FACT VALUES (3, 1, 2, 5, 'Bore and stroke', 'ENGINE-3105  order code 4757, as built');
INSERT INTO FACT VALUES (3, 1, 2, 6, 'Compression', 'ENGINE-3106  order code 4794, as built');
INSERT INTO FACT VALUES (3, 1, 2, 7, 'Valves', 'ENGINE-3107  order code 4831, as built');
INSERT INTO FACT VALUES (3, 1, 2, 8, 'Fuel', 'ENGINE-3108  order code 4868, as built');
INSERT INTO FACT VALUES (3, 1, 2, 9, 'Injection', 'ENGINE-3109  order code 4905, as built');
INSERT INTO FACT VALUES (3, 1, 2, 10, 'Cooling', 'ENGINE-3110  order code 4942, as built');
INSERT INTO FACT VALUES (3, 1, 2, 11, 'Emissions', 'ENGINE-3111  order code 4979, as built');
INSERT INTO FACT VALUES (3, 1, 2, 12, 'Oil', 'ENGINE-3112  order code 5016, as built');
INSERT INTO FACT VALUES (3, 1, 2, 13, 'Start and stop', 'ENGINE-3113  order code 5053, as built');
INSERT INTO FACT VALUES (3, 1, 2, 14, 'Noise', 'ENGINE-3114  order code 5090, as built');
INSERT INTO FACT VALUES (3, 1, 2, 15, 'Remark', 'ENGINE-3115  order code 5127, as built');
INSERT INTO PAGE VALUES (3, 1, 3, 'Transmission');
INSERT INTO FACT VALUES (3, 1, 3, 1, 'Type', 'TRANSMISSION-3101  order code 4710, as built');
INSERT INTO FACT VALUES (3, 1, 3, 2, 'Gears', 'TRANSMISSION-3102  order code 4747, as built');
INSERT INTO FACT VALUES (3, 1, 3, 3, 'First', 'TRANSMISSION-3103  order code 4784, as built');
INSERT INTO FACT VALUES (3, 1, 3, 4, 'Second', 'TRANSMISSION-3104  order code 4821, as built');
INSERT INTO FACT VALUES (3, 1, 3, 5, 'Third', 'TRANSMISSION-3105  order code 4858, as built');
INSERT INTO FACT VALUES (3, 1, 3, 6, 'Fourth', 'TRANSMISSION-3106  order code 4895, as built');
INSERT INTO FACT VALUES (3, 1, 3, 7, 'Fifth', 'TRANSMISSION-3107  order code 4932, as built');
INSERT INTO FACT VALUES (3, 1, 3, 8, 'Sixth', 'TRANSMISSION-3108  order code 4969, as built');
INSERT INTO FACT VALUES (3, 1, 3, 9, 'Reverse', 'TRANSMISSION-3109  order code 5006, as built');
INSERT INTO FACT VALUES (3, 1, 3, 10, 'Final drive', 'TRANSMISSION-3110  order code 5043, as built');
INSERT INTO FACT VALUES (3, 1, 3, 11, 'Driven wheels', 'TRANSMISSION-3111  order code 5080, as built');
INSERT INTO FACT VALUES (3, 1, 3, 12, 'Differential', 'TRANSMISSION-3112  order code 5117, as built');
INSERT INTO FACT VALUES (3, 1, 3, 13, 'Clutch', 'TRANSMISSION-3113  order code 5154, as built');
INSERT INTO FACT VALUES (3, 1, 3, 14, 'Oil', 'TRANSMISSION-3114  order code 5191, as built');
INSERT INTO FACT VALUES (3, 1, 3, 15, 'Remark', 'TRANSMISSION-3115  order code 5228, as built');
INSERT INTO PAGE VALUES (3, 1, 4, 'Chassis and brakes');
INSERT INTO FACT VALUES (3, 1, 4, 1, 'Front suspension', 'CHASSIS-3101  order code 4811, as built');
INSERT INTO FACT VALUES (3, 1, 4, 2, 'Rear suspension', 'CHASSIS-3102  order code 4848, as built');
INSERT INTO FACT VALUES (3, 1, 4, 3, 'Steering', 'CHASSIS-3103  order code 4885, as built');
INSERT INTO FACT VALUES (3, 1, 4, 4, 'Turns of the wheel', 'CHASSIS-3104  order code 4922, as built');
INSERT INTO FACT VALUES (3, 1, 4, 5, 'Front brakes', 'CHASSIS-3105  order code 4959, as built');
INSERT INTO FACT VALUES (3, 1, 4, 6, 'Rear brakes', 'CHASSIS-3106  order code 4996, as built');
INSERT INTO FACT VALUES (3, 1, 4, 7, 'Parking brake', 'CHASSIS-3107  order code 5033, as built');
INSERT INTO FACT VALUES (3, 1, 4, 8, 'Anti-lock', 'CHASSIS-3108  order code 5070, as built');
INSERT INTO FACT VALUES (3, 1, 4, 9, 'Tyres', 'CHASSIS-3109  order code 5107, as built');
INSERT INTO FACT VALUES (3, 1, 4, 10, 'Wheels', 'CHASSIS-3110  order code 5144, as built');
INSERT INTO FACT VALUES (3, 1, 4, 11, 'Spare wheel', 'CHASSIS-3111  order code 5181, as built');
INSERT INTO FACT VALUES (3, 1, 4, 12, 'Clearance', 'CHASSIS-3112  order code 5218, as built');
INSERT INTO FACT VALUES (3, 1, 4, 13, 'Towing', 'CHASSIS-3113  order code 5255, as built');
INSERT INTO FACT VALUES (3, 1, 4, 14, 'Payload', 'CHASSIS-3114  order code 5292, as built');
INSERT INTO FACT VALUES (3, 1, 4, 15, 'Remark', 'CHASSIS-3115  order code 5329, as built');
INSERT INTO PAGE VALUES (3, 1, 5, 'Safety');
INSERT INTO FACT VALUES (3, 1, 5, 1, 'Front airbags', 'SAFETY-3101  order code 4912, as built');
INSERT INTO FACT VALUES (3, 1, 5, 2, 'Side airbags', 'SAFETY-3102  order code 4949, as built');
INSERT INTO FACT VALUES (3, 1, 5, 3, 'Belts', 'SAFETY-3103  order code 4986, as built');
INSERT INTO FACT VALUES (3, 1, 5, 4, 'Child seats', 'SAFETY-3104  order code 5023, as built');
INSERT INTO FACT VALUES (3, 1, 5, 5, 'Lane keeping', 'SAFETY-3105  order code 5060, as built');
INSERT INTO FACT VALUES (3, 1, 5, 6, 'Distance', 'SAFETY-3106  order code 5097, as built');
INSERT INTO FACT VALUES (3, 1, 5, 7, 'Emergency brake', 'SAFETY-3107  order code 5134, as built');
INSERT INTO FACT VALUES (3, 1, 5, 8, 'Blind spot', 'SAFETY-3108  order code 5171, as built');
INSERT INTO FACT VALUES (3, 1, 5, 9, 'Night vision', 'SAFETY-3109  order code 5208, as built');
INSERT INTO FACT VALUES (3, 1, 5, 10, 'Tyre pressure', 'SAFETY-3110  order code 5245, as built');
INSERT INTO FACT VALUES (3, 1, 5, 11, 'Alarm', 'SAFETY-3111  order code 5282, as built');
INSERT INTO FACT VALUES (3, 1, 5, 12, 'Immobilizer', 'SAFETY-3112  order code 5319, as built');
INSERT INTO FACT VALUES (3, 1, 5, 13, 'Crash test', 'SAFETY-3113  order code 5356, as built');
INSERT INTO FACT VALUES (3, 1, 5, 14, 'Recall', 'SAFETY-3114  order code 5393, as built');
INSERT INTO FACT VALUES (3, 1, 5, 15, 'Remark', 'SAFETY-3115  order code 5430, as built');
INSERT INTO PAGE VALUES (3, 1, 6, 'Interior');
INSERT INTO FACT VALUES (3, 1, 6, 1, 'Upholstery', 'INTERIOR-3101  order code 5013, as built');
INSERT INTO FACT VALUES (3, 1, 6, 2, 'Front seats', 'INTERIOR-3102  order code 5050, as built');
INSERT INTO FACT VALUES (3, 1, 6, 3, 'Rear seats', 'INTERIOR-3103  order code 5087, as built');
INSERT INTO FACT VALUES (3, 1, 6, 4, 'Steering wheel', 'INTERIOR-3104  order code 5124, as built');
INSERT INTO FACT VALUES (3, 1, 6, 5, 'Climate', 'INTERIOR-3105  order code 5161, as built');
INSERT INTO FACT VALUES (3, 1, 6, 6, 'Windows', 'INTERIOR-3106  order code 5198, as built');
INSERT INTO FACT VALUES (3, 1, 6, 7, 'Sun roof', 'INTERIOR-3107  order code 5235, as built');
INSERT INTO FACT VALUES (3, 1, 6, 8, 'Lights', 'INTERIOR-3108  order code 5272, as built');
INSERT INTO FACT VALUES (3, 1, 6, 9, 'Storage', 'INTERIOR-3109  order code 5309, as built');
INSERT INTO FACT VALUES (3, 1, 6, 10, 'Cup holders', 'INTERIOR-3110  order code 5346, as built');
INSERT INTO FACT VALUES (3, 1, 6, 11, 'Floor', 'INTERIOR-3111  order code 5383, as built');
INSERT INTO FACT VALUES (3, 1, 6, 12, 'Mirrors', 'INTERIOR-3112  order code 5420, as built');
INSERT INTO FACT VALUES (3, 1, 6, 13, 'Heating', 'INTERIOR-3113  order code 5457, as built');
INSERT INTO FACT VALUES (3, 1, 6, 14, 'Sound proofing', 'INTERIOR-3114  order code 5494, as built');
INSERT INTO FACT VALUES (3, 1, 6, 15, 'Remark', 'INTERIOR-3115  order code 5531, as built');

INSERT INTO MODEL VALUES (3, 2, 'CIVIC', 'Compact', 512, 23950.00, 1);
INSERT INTO PAGE VALUES (3, 2, 1, 'Overview');
INSERT INTO FACT VALUES (3, 2, 1, 1, 'Body', 'OVERVIEW-3201  order code 5121, as built');
INSERT INTO FACT VALUES (3, 2, 1, 2, 'Doors', 'OVERVIEW-3202  order code 5158, as built');
INSERT INTO FACT VALUES (3, 2, 1, 3, 'Seats', 'OVERVIEW-3203  order code 5195, as built');
INSERT INTO FACT VALUES (3, 2, 1, 4, 'Length', 'OVERVIEW-3204  order code 5232, as built');
INSERT INTO FACT VALUES (3, 2, 1, 5, 'Width', 'OVERVIEW-3205  order code 5269, as built');
INSERT INTO FACT VALUES (3, 2, 1, 6, 'Height', 'OVERVIEW-3206  order code 5306, as built');
INSERT INTO FACT VALUES (3, 2, 1, 7, 'Wheelbase', 'OVERVIEW-3207  order code 5343, as built');
INSERT INTO FACT VALUES (3, 2, 1, 8, 'Weight', 'OVERVIEW-3208  order code 5380, as built');
INSERT INTO FACT VALUES (3, 2, 1, 9, 'Trunk', 'OVERVIEW-3209  order code 5417, as built');
INSERT INTO FACT VALUES (3, 2, 1, 10, 'Tank', 'OVERVIEW-3210  order code 5454, as built');
INSERT INTO FACT VALUES (3, 2, 1, 11, 'Turning circle', 'OVERVIEW-3211  order code 5491, as built');
INSERT INTO FACT VALUES (3, 2, 1, 12, 'Assembled', 'OVERVIEW-3212  order code 5528, as built');
INSERT INTO FACT VALUES (3, 2, 1, 13, 'Warranty', 'OVERVIEW-3213  order code 5565, as built');
INSERT INTO FACT VALUES (3, 2, 1, 14, 'Delivery', 'OVERVIEW-3214  order code 5602, as built');
INSERT INTO FACT VALUES (3, 2, 1, 15, 'Remark', 'OVERVIEW-3215  order code 5639, as built');

INSERT INTO MODEL VALUES (3, 3, 'CR-V', 'Sport utility', 276, 29500.00, 1);
INSERT INTO PAGE VALUES (3, 3, 1, 'Overview');
INSERT INTO FACT VALUES (3, 3, 1, 1, 'Body', 'OVERVIEW-3301  order code 5734, as built');
INSERT INTO FACT VALUES (3, 3, 1, 2, 'Doors', 'OVERVIEW-3302  order code 5771, as built');
INSERT INTO FACT VALUES (3, 3, 1, 3, 'Seats', 'OVERVIEW-3303  order code 5808, as built');
INSERT INTO FACT VALUES (3, 3, 1, 4, 'Length', 'OVERVIEW-3304  order code 5845, as built');
INSERT INTO FACT VALUES (3, 3, 1, 5, 'Width', 'OVERVIEW-3305  order code 5882, as built');
INSERT INTO FACT VALUES (3, 3, 1, 6, 'Height', 'OVERVIEW-3306  order code 5919, as built');
INSERT INTO FACT VALUES (3, 3, 1, 7, 'Wheelbase', 'OVERVIEW-3307  order code 5956, as built');
INSERT INTO FACT VALUES (3, 3, 1, 8, 'Weight', 'OVERVIEW-3308  order code 5993, as built');
INSERT INTO FACT VALUES (3, 3, 1, 9, 'Trunk', 'OVERVIEW-3309  order code 6030, as built');
INSERT INTO FACT VALUES (3, 3, 1, 10, 'Tank', 'OVERVIEW-3310  order code 6067, as built');
INSERT INTO FACT VALUES (3, 3, 1, 11, 'Turning circle', 'OVERVIEW-3311  order code 6104, as built');
INSERT INTO FACT VALUES (3, 3, 1, 12, 'Assembled', 'OVERVIEW-3312  order code 6141, as built');
INSERT INTO FACT VALUES (3, 3, 1, 13, 'Warranty', 'OVERVIEW-3313  order code 6178, as built');
INSERT INTO FACT VALUES (3, 3, 1, 14, 'Delivery', 'OVERVIEW-3314  order code 6215, as built');
INSERT INTO FACT VALUES (3, 3, 1, 15, 'Remark', 'OVERVIEW-3315  order code 6252, as built');
