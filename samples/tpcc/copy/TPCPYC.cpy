      * Payment. Customer by number, or by last name where it is 0.
           05  PY-W-ID           PIC 9(4).
           05  PY-D-ID           PIC 99.
           05  PY-C-W-ID         PIC 9(4).
           05  PY-C-D-ID         PIC 99.
           05  PY-C-ID           PIC 9(4).
           05  PY-LAST           PIC X(16).
           05  PY-AMOUNT         PIC 9(4)V99.
      * Y done, N no such customer, D try again (deadlock).
           05  PY-STATUS         PIC X.
           05  PY-W-STREET       PIC X(20).
           05  PY-W-CITY         PIC X(20).
           05  PY-D-STREET       PIC X(20).
           05  PY-D-CITY         PIC X(20).
           05  PY-FIRST          PIC X(16).
           05  PY-MIDDLE         PIC XX.
           05  PY-STREET         PIC X(20).
           05  PY-CITY           PIC X(20).
           05  PY-PHONE          PIC X(16).
           05  PY-SINCE          PIC X(10).
           05  PY-CREDIT         PIC XX.
           05  PY-LIMIT          PIC 9(10)V99.
           05  PY-DISCOUNT       PIC 9V9999.
           05  PY-BALANCE        PIC S9(10)V99 SIGN LEADING SEPARATE.
           05  PY-DATA           PIC X(200).
           05  PY-DATE           PIC X(26).
