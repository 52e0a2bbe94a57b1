000100******************************************************************CUST0001
000200*  CUSTOMER MASTER RECORD                                       * CUST0002
000300******************************************************************CUST0003
000400 01  CUSTOMER-RECORD.                                             CUST0004
000500     05  CUST-ID                 PIC 9(8).                        CUST0005
000600     05  CUST-NAME.                                               CUST0006
000700         10  CUST-FIRST          PIC X(15).                       CUST0007
000800         10  CUST-LAST           PIC X(20).                       CUST0008
000900     05  CUST-STATUS             PIC X.                           CUST0009
001000         88  CUST-ACTIVE         VALUE 'A'.                       CUST0010
001100         88  CUST-GONE           VALUES ARE 'C' 'D' THRU 'F'.     CUST0011
001200     05  CUST-BALANCE            PIC S9(7)V99 COMP-3.             CUST0012
001300     05  CUST-ORDERS             PIC S9(4) COMP.                  CUST0013
001400     05  CUST-OPENED             PIC 9(8).                        CUST0014
001500     05  CUST-OPENED-R REDEFINES CUST-OPENED.                     CUST0015
001600         10  CUST-YEAR           PIC 9(4).                        CUST0016
001700         10  CUST-MONTH          PIC 99.                          CUST0017
001800         10  CUST-DAY            PIC 99.                          CUST0018
001900     05  FILLER                  PIC X(3) VALUE SPACES.           CUST0019
002000     05  CUST-ORDER OCCURS 0 TO 10 TIMES                          CUST0020
002100             DEPENDING ON CUST-ORDERS                             CUST0021
002200             ASCENDING KEY IS ORD-NO                              CUST0022
002300             INDEXED BY ORD-X.                                    CUST0023
002400         10  ORD-NO              PIC 9(6).                        CUST0024
002500         10  ORD-TEXT            PIC X(30) VALUE 'A TEXT THAT GOESCUST0025
002600-            ' ON'.                                               CUST0026
002700     66  CUST-DATES RENAMES CUST-YEAR THRU CUST-DAY.              CUST0027
