-- What Db2 has and PostgreSQL has not, or has otherwise: the functions rewritten statements call.
-- Characters are of type bpchar: blanks at the end do not count when they are compared. concat()
-- gives them as text with all of their blanks. The last two arguments are codes of types, of the
-- first argument and of the result. NULL gives NULL, unless a function says otherwise.

CREATE OR REPLACE FUNCTION transom_sql.fail(code integer, VARIADIC tokens text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'D2000', MESSAGE = 'SQLCODE ' || code || chr(31) || array_to_string(tokens, chr(31));
END $$;

CREATE OR REPLACE FUNCTION transom_sql.fail(code integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM transom_sql.fail(code, VARIADIC '{}'::text[]);
END $$;

-- A number as the type of a result: -802 (or the code given) where it does not fit.
CREATE OR REPLACE FUNCTION transom_sql.fit(v numeric, code bigint, wrong integer DEFAULT -802) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  p integer; s integer; most numeric; cut numeric;
BEGIN
  CASE code >> 40
    WHEN 1 THEN most := 32768; cut := trunc(v);
    WHEN 2 THEN most := 2147483648; cut := trunc(v);
    WHEN 3 THEN most := 9223372036854775808; cut := trunc(v);
    WHEN 4 THEN
      p := (code >> 8) & 255; s := code & 255;
      most := ('1e' || (p - s))::numeric;
      IF abs(trunc(v, s)) >= most THEN PERFORM transom_sql.fail(wrong, 'FIXED POINT OVERFLOW'); END IF;
      RETURN trunc(v, s);
    ELSE RETURN v;
  END CASE;
  IF cut >= most OR cut < -most THEN PERFORM transom_sql.fail(wrong, 'FIXED POINT OVERFLOW'); END IF;
  RETURN cut;
END $$;

CREATE OR REPLACE FUNCTION transom_sql.db2_add(a numeric, b numeric, bigint, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(a + b, code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_subtract(a numeric, b numeric, bigint, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(a - b, code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_multiply(a numeric, b numeric, bigint, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(a * b, code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.quotient(a numeric, b numeric, scale integer) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF b = 0 THEN PERFORM transom_sql.fail(-802, 'ZERO DIVIDE'); END IF;
  RETURN div(a * ('1e' || scale)::numeric, b) * ('1e-' || scale)::numeric;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_divide(a numeric, b numeric, bigint, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN transom_sql.fit(transom_sql.quotient(a, b, CASE code >> 40 WHEN 4 THEN (code & 255)::integer WHEN 5 THEN 15 ELSE 0 END), code);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_divide_f(a double precision, b double precision, bigint, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a / b $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_mod(a numeric, b numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF b = 0 THEN PERFORM transom_sql.fail(-802, 'ZERO DIVIDE'); END IF;
  RETURN transom_sql.fit(a - div(a, b) * b, code);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_abs(a numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(abs(a), code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_abs_f(a double precision, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT abs(a) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_floor(a numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(floor(a), code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_floor_f(a double precision, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT floor(a) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_ceiling(a numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(ceiling(a), code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_ceiling_f(a double precision, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT ceiling(a) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_round(a numeric, places numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(round(a, greatest(-38, least(38, trunc(places)))::integer), code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_round(a numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(round(a), code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_truncate(a numeric, places numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(trunc(a, greatest(-38, least(38, trunc(places)))::integer), code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_truncate(a numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(trunc(a), code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_digits(a numeric, kind bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  p integer := CASE kind >> 40 WHEN 1 THEN 5 WHEN 2 THEN 10 WHEN 3 THEN 19 WHEN 4 THEN ((kind >> 8) & 255)::integer END;
  s integer := CASE kind >> 40 WHEN 4 THEN (kind & 255)::integer ELSE 0 END;
BEGIN
  IF p IS NULL THEN PERFORM transom_sql.fail(-171, '1', 'DIGITS'); END IF;
  RETURN lpad(trunc(abs(a) * ('1e' || s)::numeric)::text, p, '0')::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_sum(a numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(a, code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_sum_f(a double precision, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_avg(a numeric, n numeric, kind bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN CASE n WHEN 0 THEN NULL ELSE transom_sql.db2_divide(a, n, kind, kind, code) END;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_avg_f(a double precision, n numeric, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a / n::double precision $$;

-- Dates, times and timestamps in the forms of Db2.
CREATE OR REPLACE FUNCTION transom_sql.day_of(v text) RETURNS date LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  m text[]; t text := btrim(v, ' ');
BEGIN
  m := regexp_match(t, '^(\d{4})-(\d{1,2})-(\d{1,2})$');
  IF m IS NULL THEN
    m := regexp_match(t, '^(\d{1,2})/(\d{1,2})/(\d{4})$');
    IF m IS NOT NULL THEN m := ARRAY[m[3], m[1], m[2]]; END IF;
  END IF;
  IF m IS NULL THEN
    m := regexp_match(t, '^(\d{1,2})\.(\d{1,2})\.(\d{4})$');
    IF m IS NOT NULL THEN m := ARRAY[m[3], m[2], m[1]]; END IF;
  END IF;
  IF m IS NULL THEN PERFORM transom_sql.fail(-180, v); END IF;
  BEGIN
    RETURN make_date(m[1]::integer, m[2]::integer, m[3]::integer);
  EXCEPTION WHEN datetime_field_overflow OR invalid_datetime_format THEN
    PERFORM transom_sql.fail(-181, v);
  END;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.clock_of(v text) RETURNS time LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  m text[]; h integer; t text := btrim(v, ' ');
BEGIN
  m := regexp_match(t, '^(\d{1,2})[.:](\d{2})(?:[.:](\d{2}))?$');
  IF m IS NOT NULL THEN
    h := m[1]::integer;
  ELSE
    m := regexp_match(upper(t), '^(\d{1,2})(?::(\d{2}))? (AM|PM)$');
    IF m IS NULL THEN PERFORM transom_sql.fail(-180, v); END IF;
    h := m[1]::integer;
    IF h > 12 OR h = 0 AND NOT (m[3] = 'AM' AND coalesce(m[2], '0')::integer = 0) THEN PERFORM transom_sql.fail(-181, v); END IF;
    -- Midnight at the end of a day is 12:00 AM, and 00:00 AM is that at its beginning.
    h := CASE WHEN h = 12 AND m[3] = 'AM' AND coalesce(m[2], '0')::integer = 0 THEN 24
      ELSE h % 12 + CASE m[3] WHEN 'PM' THEN 12 ELSE 0 END END;
    m[3] := '0';
  END IF;
  IF h > 24 OR coalesce(m[2], '0')::integer > 59 OR coalesce(m[3], '0')::integer > 59
     OR h = 24 AND coalesce(m[2], '0')::integer + coalesce(m[3], '0')::integer > 0 THEN
    PERFORM transom_sql.fail(-181, v);
  END IF;
  RETURN (h || ':' || coalesce(m[2], '00') || ':' || coalesce(m[3], '00'))::time;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.moment_of(v text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  m text[];
BEGIN
  m := regexp_match(btrim(v, ' '), '^(\d{4}-\d{2}-\d{2})$');
  IF m IS NOT NULL THEN RETURN transom_sql.day_of(m[1])::timestamp; END IF;
  m := regexp_match(btrim(v, ' '), '^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$');
  IF m IS NOT NULL THEN m := ARRAY[m[1] || '-' || m[2] || '-' || m[3], m[4], m[5], m[6], '0'];
  ELSE m := regexp_match(btrim(v, ' '), '^(\d{4}-\d{1,2}-\d{1,2})[- T](\d{1,2})[.:](\d{2})[.:](\d{2})(?:\.(\d{1,6}))?$');
  END IF;
  IF m IS NULL THEN PERFORM transom_sql.fail(-180, v); END IF;
  IF m[2]::integer > 23 THEN PERFORM transom_sql.fail(-181, v); END IF;
  RETURN transom_sql.day_of(m[1]) + transom_sql.clock_of(m[2] || '.' || m[3] || '.' || m[4]) + make_interval(secs => ('0.' || coalesce(m[5], '0'))::double precision);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.shown(v date) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT to_char(v, 'YYYY-MM-DD') $$;
CREATE OR REPLACE FUNCTION transom_sql.shown(v time) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT replace(v::time(0)::text, ':', '.') $$;
CREATE OR REPLACE FUNCTION transom_sql.shown(v timestamp) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT to_char(v, 'YYYY-MM-DD-HH24.MI.SS.US') $$;
CREATE OR REPLACE FUNCTION transom_sql.within(v timestamp) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF v < timestamp '0001-01-01' OR v >= timestamp '10000-01-01' THEN PERFORM transom_sql.fail(-183); END IF;
  RETURN v;
END $$;

-- A moment with a duration: a number of units, or yyyymmddhhmmss.
CREATE OR REPLACE FUNCTION transom_sql.moved(v timestamp, n numeric, letter text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  k bigint;
BEGIN
  IF abs(n) > 999999999999999999 THEN PERFORM transom_sql.fail(-183); END IF;
  k := trunc(n)::bigint;
  IF letter IN ('Y', 'M', 'D') AND abs(k) > 3700000 OR abs(k) > 400000000000000000 THEN PERFORM transom_sql.fail(-183); END IF;
  RETURN transom_sql.within(CASE letter
    WHEN 'Y' THEN v + make_interval(years => k::integer)
    WHEN 'M' THEN v + make_interval(months => k::integer)
    WHEN 'D' THEN v + make_interval(days => k::integer)
    WHEN 'H' THEN v + k * interval '1 hour'
    WHEN 'N' THEN v + k * interval '1 minute'
    WHEN 'S' THEN v + k * interval '1 second'
    ELSE v + k * interval '1 microsecond' END);
EXCEPTION WHEN datetime_field_overflow OR numeric_value_out_of_range OR interval_field_overflow THEN
  PERFORM transom_sql.fail(-183);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.moved_by(v timestamp, day numeric, clock numeric, us numeric) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  v := transom_sql.moved(v, trunc(day / 10000), 'Y');
  v := transom_sql.moved(v, trunc(mod(day, 10000) / 100), 'M');
  v := transom_sql.moved(v, mod(day, 100), 'D');
  v := transom_sql.moved(v, trunc(clock / 10000), 'H');
  v := transom_sql.moved(v, trunc(mod(clock, 10000) / 100), 'N');
  v := transom_sql.moved(v, mod(clock, 100), 'S');
  RETURN transom_sql.moved(v, us, 'U');
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_add_duration(v date, n numeric, letter bpchar, bigint, bigint) RETURNS date LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN CASE WHEN letter = 'P' THEN transom_sql.moved_by(v, trunc(n), 0, 0) ELSE transom_sql.moved(v, n, letter) END::date;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_add_duration(v time, n numeric, letter bpchar, bigint, bigint) RETURNS time LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  t timestamp := date '2000-01-01' + v;
BEGIN
  RETURN CASE WHEN letter = 'P' THEN transom_sql.moved_by(t, 0, trunc(n), 0) ELSE transom_sql.moved(t, n, letter) END::time;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_add_duration(v timestamp, n numeric, letter bpchar, bigint, bigint) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF letter = 'P' THEN
    RETURN transom_sql.moved_by(v, trunc(n / 1000000), mod(trunc(n), 1000000), trunc((n - trunc(n)) * 1000000));
  END IF;
  RETURN transom_sql.moved(v, n, letter);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_subtract_duration(v date, n numeric, letter bpchar, k bigint, c bigint) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_add_duration(v, -n, letter, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_subtract_duration(v time, n numeric, letter bpchar, k bigint, c bigint) RETURNS time LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_add_duration(v, -n, letter, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_subtract_duration(v timestamp, n numeric, letter bpchar, k bigint, c bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_add_duration(v, -n, letter, k, c) $$;

-- The duration between two moments, as Db2 subtracts them: yyyymmddhhmmss and microseconds.
CREATE OR REPLACE FUNCTION transom_sql.between(a timestamp, b timestamp) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  late timestamp := greatest(a, b); early timestamp := least(a, b);
  us bigint := (extract(epoch FROM late::time - early::time) * 1000000)::bigint;
  last date := late::date; months integer; days integer; seconds bigint;
BEGIN
  IF us < 0 THEN us := us + 86400000000; last := last - 1; END IF;
  months := (extract(year FROM last) - extract(year FROM early)) * 12 + extract(month FROM last) - extract(month FROM early);
  IF extract(day FROM last) < extract(day FROM early) THEN months := months - 1; END IF;
  days := last - (early::date + make_interval(months => months))::date;
  seconds := us / 1000000;
  RETURN (CASE WHEN a < b THEN -1 ELSE 1 END) *
    ((months / 12 * 10000 + months % 12 * 100 + days)::numeric * 1000000
     + seconds / 3600 * 10000 + seconds / 60 % 60 * 100 + seconds % 60 + (us % 1000000) * 0.000001);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_subtract(a date, b date, bigint, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT trunc(transom_sql.between(a, b) / 1000000) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_subtract(a time, b time, bigint, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT trunc(transom_sql.between(date '2000-01-01' + a, date '2000-01-01' + b)) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_subtract(a timestamp, b timestamp, bigint, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.between(a, b) $$;

-- Parts of moments and of durations.
CREATE OR REPLACE FUNCTION transom_sql.guessed(v text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF length(rtrim(v)) > 10 THEN RETURN transom_sql.moment_of(v); END IF;
  IF v ~ '[-/]' OR v ~ '^\d{1,2}\.\d{1,2}\.\d{4}' THEN RETURN transom_sql.day_of(v); END IF;
  RETURN date '2000-01-01' + transom_sql.clock_of(v);
END $$;
DO $do$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT * FROM (VALUES
      ('year', 'extract(year FROM v)', 'trunc(v / 10000)'),
      ('month', 'extract(month FROM v)', 'mod(trunc(v / 100), 100)'),
      ('day', 'extract(day FROM v)', 'mod(trunc(v), 100)'),
      ('dayofmonth', 'extract(day FROM v)', 'mod(trunc(v), 100)'),
      ('hour', 'extract(hour FROM v)', 'mod(trunc(v / 10000), 100)'),
      ('minute', 'extract(minute FROM v)', 'mod(trunc(v / 100), 100)'),
      ('second', 'floor(extract(second FROM v))', 'mod(trunc(v), 100)'),
      ('microsecond', 'mod((extract(microseconds FROM v))::bigint, 1000000)', 'trunc((v - trunc(v)) * 1000000)'),
      ('dayofyear', 'extract(doy FROM v)', NULL),
      ('dayofweek', 'extract(dow FROM v) + 1', NULL),
      ('dayofweek_iso', 'extract(isodow FROM v)', NULL),
      ('quarter', 'extract(quarter FROM v)', NULL),
      ('week_iso', 'extract(week FROM v)', NULL),
      ('days', 'v::date - date ''0001-01-01'' + 1', NULL)
    ) AS all_parts (name, moment, duration)
  LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v timestamp, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT (%s)::integer $f$', f.name, f.moment);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v bpchar, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.db2_%s(transom_sql.guessed(concat(v)), k, c) $f$', f.name, f.name);
    IF f.name NOT IN ('hour', 'minute', 'second', 'microsecond') THEN
      EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v date, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT (%s)::integer $f$', f.name, f.moment);
    ELSE
      EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v time, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT (%s)::integer $f$', f.name, f.moment);
    END IF;
    IF f.duration IS NOT NULL THEN
      EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v numeric, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT (%s)::integer $f$', f.name, f.duration);
    END IF;
  END LOOP;
END $do$;
CREATE OR REPLACE FUNCTION transom_sql.db2_date(v date, bigint, bigint) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_date(v timestamp, bigint, bigint) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v::date $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_date(v bpchar, bigint, bigint) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.day_of(left(concat(v), 10)) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_date(v numeric, bigint, bigint) RETURNS date LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF trunc(v) < 1 OR trunc(v) > 3652059 THEN PERFORM transom_sql.fail(-171, '1', 'DATE'); END IF;
  RETURN date '0001-01-01' + (trunc(v)::integer - 1);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_time(v time, bigint, bigint) RETURNS time LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_time(v timestamp, bigint, bigint) RETURNS time LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT date_trunc('second', v)::time $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_time(v bpchar, bigint, bigint) RETURNS time LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF length(v) > 11 THEN RETURN date_trunc('second', transom_sql.moment_of(concat(v)))::time; END IF;
  RETURN transom_sql.clock_of(concat(v));
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp(v timestamp, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp(v date, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v::timestamp $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp(v bpchar, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.moment_of(concat(v)) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp(d date, t time, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT d + t $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp(d bpchar, t bpchar, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.day_of(concat(d)) + transom_sql.clock_of(concat(t)) $$;

-- Characters.
CREATE OR REPLACE FUNCTION transom_sql.db2_chars(digits text) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  bytes bytea := decode(digits, 'hex'); t text := '';
BEGIN
  FOR n IN 0 .. length(bytes) - 1 LOOP
    t := t || CASE get_byte(bytes, n) WHEN 0 THEN chr(57344) ELSE chr(get_byte(bytes, n)) END;
  END LOOP;
  RETURN t::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_concat(a bpchar, b bpchar, bigint, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN concat(a, b)::bpchar; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_like(v bpchar, pattern bpchar, escape bpchar) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  p text := concat(pattern); e text := concat(escape); c text; n integer := 1;
BEGIN
  IF v IS NULL OR pattern IS NULL THEN RETURN NULL; END IF;
  IF escape IS NULL THEN RETURN concat(v) LIKE p ESCAPE ''; END IF;
  IF length(e) <> 1 THEN PERFORM transom_sql.fail(-130); END IF;
  -- An escape character stands before %, _ or itself: else -130.
  WHILE n <= length(p) LOOP
    IF substr(p, n, 1) = e THEN
      c := substr(p, n + 1, 1);
      IF c NOT IN ('%', '_', e) THEN PERFORM transom_sql.fail(-130); END IF;
      n := n + 1;
    END IF;
    n := n + 1;
  END LOOP;
  RETURN concat(v) LIKE p ESCAPE e;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_substr(v bpchar, start numeric, len numeric, kind bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  t text := concat(v); n integer := length(t); s integer := trunc(start); l integer := trunc(len);
  -- The most a varying string can have: blanks stand behind what it has.
  most integer := greatest(n, CASE WHEN kind >> 40 BETWEEN 8 AND 9 THEN (kind >> 8) & 2147483647 ELSE 0 END);
BEGIN
  IF s < 1 OR s > greatest(most, 1) THEN PERFORM transom_sql.fail(-138, '2', 'SUBSTR'); END IF;
  IF l < 0 OR l > most - s + 1 AND kind >> 40 <> 8 THEN PERFORM transom_sql.fail(-138, '3', 'SUBSTR'); END IF;
  RETURN rpad(substr(t, s, l), l)::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_substr(v bpchar, start numeric, kind bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN RETURN transom_sql.db2_substr(v, start, greatest(length(concat(v)) - trunc(start) + 1, 0), kind, code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_left(v bpchar, len numeric, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF len < 0 THEN PERFORM transom_sql.fail(-138, '2', 'LEFT'); END IF;
  RETURN left(concat(v), trunc(len)::integer)::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_right(v bpchar, len numeric, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF len < 0 THEN PERFORM transom_sql.fail(-138, '2', 'RIGHT'); END IF;
  RETURN right(concat(v), trunc(len)::integer)::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_locate(what bpchar, v bpchar, bigint, bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN strpos(concat(v), concat(what)); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_locate(what bpchar, v bpchar, start numeric, bigint, bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  s integer := trunc(start); at integer;
BEGIN
  IF s < 1 THEN PERFORM transom_sql.fail(-171, '3', 'LOCATE'); END IF;
  at := strpos(substr(concat(v), s), concat(what));
  RETURN CASE at WHEN 0 THEN 0 ELSE at + s - 1 END;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_posstr(v bpchar, what bpchar, bigint, bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN strpos(concat(v), concat(what)); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_upper(v bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN translate(concat(v), 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')::bpchar; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_lower(v bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN translate(concat(v), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')::bpchar; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_ltrim(v bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN ltrim(concat(v))::bpchar; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_ltrim(v bpchar, what bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN ltrim(concat(v), concat(what))::bpchar; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_rtrim(v bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN rtrim(concat(v))::bpchar; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_rtrim(v bpchar, what bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN rtrim(concat(v), concat(what))::bpchar; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_strip(v bpchar, side bpchar, what bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  t text := concat(v); c text := left(concat(what), 1);
BEGIN
  IF c = '' THEN c := ' '; END IF;
  IF side <> 'T' THEN t := ltrim(t, c); END IF;
  IF side <> 'L' THEN t := rtrim(t, c); END IF;
  RETURN t::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_replace(v bpchar, what bpchar, by bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF concat(what) = '' THEN PERFORM transom_sql.fail(-171, '2', 'REPLACE'); END IF;
  RETURN replace(concat(v), concat(what), concat(by))::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_repeat(v bpchar, n numeric, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF n < 0 THEN PERFORM transom_sql.fail(-171, '2', 'REPEAT'); END IF;
  IF length(concat(v)) * trunc(n) > 32704 THEN PERFORM transom_sql.fail(-137, trunc(n)::text); END IF;
  RETURN repeat(concat(v), trunc(n)::integer)::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_space(n numeric, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF n < 0 OR n > 32704 THEN PERFORM transom_sql.fail(-171, '1', 'SPACE'); END IF;
  RETURN repeat(' ', trunc(n)::integer)::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_character_length(v bpchar, bigint, bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN length(concat(v)); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_character_length(v bpchar, unit bpchar, bigint, bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN length(concat(v)); END $$;
-- Bytes a value has in Db2.
CREATE OR REPLACE FUNCTION transom_sql.db2_length(v bpchar, bigint, bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN length(concat(v)); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_length(v bytea, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT length(v) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_length(v date, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT 4 $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_length(v time, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT 3 $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_length(v timestamp, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT 10 $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_length_f(v double precision, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT 8 $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_length(v numeric, kind bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT CASE kind >> 40 WHEN 1 THEN 2 WHEN 2 THEN 4 WHEN 4 THEN ((kind >> 8 & 255) / 2 + 1)::integer ELSE 8 END $$;

-- Conversions: to characters of a type. -404 (or -302 of a host variable) where they do not fit.
CREATE OR REPLACE FUNCTION transom_sql.sized(t text, code bigint, wrong integer) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  most integer := (code >> 8) & 2147483647;
BEGIN
  IF code >> 40 NOT BETWEEN 8 AND 13 THEN RETURN t::bpchar; END IF;
  IF length(t) > most THEN
    IF length(rtrim(t)) > most AND wrong <> 0 THEN PERFORM transom_sql.fail(wrong); END IF;
    t := left(t, most);
  END IF;
  IF code >> 40 IN (8, 11) THEN t := rpad(t, most); END IF;
  RETURN t::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.digits_of(v numeric, kind bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE kind >> 40 WHEN 4 THEN regexp_replace(trunc(v, (kind & 255)::integer)::text, '^(-?)0\.', '\1.') ELSE trim_scale(v)::text END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_t(v bpchar, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.sized(concat(v), code, -404); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_t(v numeric, kind bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.sized(transom_sql.digits_of(v, kind), code, -404); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_t(v date, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.sized(transom_sql.shown(v), code, -404); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_t(v time, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.sized(transom_sql.shown(v), code, -404); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_t(v timestamp, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.sized(transom_sql.shown(v), code, -404); END $$;
CREATE OR REPLACE FUNCTION transom_sql.number_of(v text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF btrim(v, ' ') !~ '^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$' THEN PERFORM transom_sql.fail(-420, 'CAST'); END IF;
  RETURN btrim(v, ' ')::numeric;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_n(v numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(v, code, -406); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_n(v bpchar, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(transom_sql.number_of(concat(v)), code, -406); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_n_f(v double precision, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(v::text::numeric, code, -406); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_f(v numeric, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v::double precision $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_f(v bpchar, bigint, bigint) RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.number_of(concat(v))::double precision; END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_f_f(v double precision, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_d(v date, bigint, bigint) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_d(v timestamp, bigint, bigint) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v::date $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_d(v bpchar, bigint, bigint) RETURNS date LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.day_of(left(concat(v), 10)); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_h(v time, bigint, bigint) RETURNS time LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_h(v timestamp, bigint, bigint) RETURNS time LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT date_trunc('second', v)::time $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_h(v bpchar, bigint, bigint) RETURNS time LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.clock_of(concat(v)); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_s(v timestamp, bigint, code bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT date_trunc('microsecond', v) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_s(v date, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v::timestamp $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_s(v bpchar, bigint, bigint) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.moment_of(concat(v)); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_b(v bytea, bigint, code bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  most integer := (code >> 8) & 2147483647; kind bigint := code >> 40;
BEGIN
  IF length(v) > most THEN PERFORM transom_sql.fail(-404); END IF;
  WHILE kind IN (14, 16) AND length(v) < most LOOP
    v := v || CASE kind WHEN 14 THEN '\x20'::bytea ELSE '\x00'::bytea END;
  END LOOP;
  RETURN v;
END $$;
-- Bytes of characters; chr(57344) stands for X'00'.
CREATE OR REPLACE FUNCTION transom_sql.latin(v text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT coalesce(string_agg(convert_to(part, 'LATIN1'), '\x00'::bytea ORDER BY n), ''::bytea) FROM unnest(string_to_array(v, chr(57344))) WITH ORDINALITY AS p(part, n) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_convert_b(v bpchar, kind bigint, code bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.db2_convert_b(transom_sql.latin(concat(v)), kind, code); END $$;

-- Functions of Db2 that convert.
CREATE OR REPLACE FUNCTION transom_sql.db2_smallint(v numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_smallint(v bpchar, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_smallint_f(v double precision, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n_f(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_integer(v numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_integer(v bpchar, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_integer_f(v double precision, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n_f(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bigint(v numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bigint(v bpchar, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bigint_f(v double precision, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n_f(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_double(v numeric, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v::double precision $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_double(v bpchar, k bigint, c bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_f(v, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_double_f(v double precision, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal(v numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal(v numeric, numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal(v numeric, numeric, numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal(v bpchar, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal(v bpchar, numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal(v bpchar, numeric, numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal(v bpchar, numeric, numeric, point bpchar, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n(replace(concat(v), concat(point), '.')::bpchar, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal_f(v double precision, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n_f(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decimal_f(v double precision, numeric, numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_convert_n_f(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.form_of(v date, form text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN CASE form WHEN 'USA' THEN to_char(v, 'MM/DD/YYYY') WHEN 'EUR' THEN to_char(v, 'DD.MM.YYYY') ELSE to_char(v, 'YYYY-MM-DD') END;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.form_of(v time, form text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN CASE form WHEN 'USA' THEN CASE WHEN v < time '00:01' THEN '00:00 AM' WHEN v = time '24:00' THEN '12:00 AM' ELSE to_char(v, 'HH12:MI AM') END WHEN 'JIS' THEN v::time(0)::text ELSE transom_sql.shown(v) END;
END $$;
-- CHAR of a DECIMAL: since Db2 10 without zeros in front of it.
CREATE OR REPLACE FUNCTION transom_sql.db2_char(v numeric, kind bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN transom_sql.sized(CASE kind >> 40 WHEN 4 THEN transom_sql.digits_of(v, kind) ELSE v::text END, code, -404);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_varchar(v numeric, kind bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.db2_convert_t(v, kind, code); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_varchar(v numeric, len numeric, kind bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.db2_convert_t(v, kind, code); END $$;
DO $do$
DECLARE
  f text;
BEGIN
  FOREACH f IN ARRAY ARRAY['char', 'varchar'] LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v bpchar, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$ BEGIN RETURN transom_sql.sized(concat(v), code, 0); END $f$', f);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v bpchar, numeric, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$ BEGIN RETURN transom_sql.sized(concat(v), code, 0); END $f$', f);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v date, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$ BEGIN RETURN transom_sql.shown(v)::bpchar; END $f$', f);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v time, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$ BEGIN RETURN transom_sql.shown(v)::bpchar; END $f$', f);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v timestamp, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$ BEGIN RETURN transom_sql.shown(v)::bpchar; END $f$', f);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v date, form bpchar, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$ BEGIN RETURN transom_sql.form_of(v, form)::bpchar; END $f$', f);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v time, form bpchar, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$ BEGIN RETURN transom_sql.form_of(v, form)::bpchar; END $f$', f);
  END LOOP;
END $do$;

-- Numbers of sequences and identity columns.
CREATE OR REPLACE FUNCTION transom_sql.counter(name text) RETURNS regclass LANGUAGE sql STABLE STRICT AS $$ SELECT ('transom_sql.s_' || md5(name))::regclass $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_nextval(name text) RETURNS bigint LANGUAGE plpgsql VOLATILE STRICT AS $$
BEGIN
  RETURN nextval(transom_sql.counter(name));
EXCEPTION
  WHEN undefined_table THEN PERFORM transom_sql.fail(-204, name);
  WHEN sequence_generator_limit_exceeded THEN PERFORM transom_sql.fail(-359);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_prevval(name text) RETURNS bigint LANGUAGE plpgsql VOLATILE STRICT AS $$
BEGIN
  RETURN currval(transom_sql.counter(name));
EXCEPTION
  WHEN undefined_table THEN PERFORM transom_sql.fail(-204, name);
  WHEN object_not_in_prerequisite_state THEN PERFORM transom_sql.fail(-845, name);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_next_identity(owner text, field text) RETURNS bigint LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
  n bigint := transom_sql.db2_nextval(owner || '.' || field || chr(31) || 'IDENTITY');
BEGIN
  PERFORM set_config('transom.identity', n::text, false);
  RETURN n;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_identity(owner text, field text, n numeric) RETURNS numeric LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM set_config('transom.identity', coalesce(trunc(n)::text, ''), false);
  RETURN n;
END $$;
