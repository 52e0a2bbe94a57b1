-- Functions of Db2 that are not in every program: floating point, bits, places in strings, the
-- calendar, formats. The formulas are those of the embedded engine, so that both give the same digits.

-- The higher or lower of two values; NULL where one is.
DO $do$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT * FROM (VALUES ('n', 'numeric'), ('f', 'double precision'), ('d', 'date'), ('h', 'time'), ('s', 'timestamp')) AS all_kinds (letter, kind) LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.larger_%1$s(a %2$s, b %2$s) RETURNS %2$s LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT greatest(a, b) $f$', f.letter, f.kind);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.lesser_%1$s(a %2$s, b %2$s) RETURNS %2$s LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT least(a, b) $f$', f.letter, f.kind);
  END LOOP;
END $do$;

-- Floating point: what is no number of the type is -802.
DO $do$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT * FROM (VALUES
      ('acos', 'acos(v)'), ('asin', 'asin(v)'), ('atan', 'atan(v)'),
      ('atanh', '0.5::double precision * ln((1 + v) / (1 - v))'),
      ('cos', 'cos(v)'), ('cosh', 'cosh(v)'), ('degrees', 'degrees(v)'), ('exp', 'exp(v)'), ('ln', 'ln(v)'),
      ('log10', 'log(v)'), ('radians', 'radians(v)'), ('sin', 'sin(v)'), ('sinh', 'sinh(v)'),
      ('sqrt', 'sqrt(v)'), ('tan', 'tan(v)'), ('tanh', 'tanh(v)'), ('real', 'v::real::double precision')
    ) AS all_functions (name, formula)
  LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s_f(v double precision, bigint, bigint) RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT AS $f$
DECLARE
  r double precision;
BEGIN
  r := %s;
  IF r IN (''NaN'', ''Infinity'', ''-Infinity'') THEN PERFORM transom_sql.fail(-802, ''OUT OF RANGE''); END IF;
  RETURN r;
EXCEPTION WHEN numeric_value_out_of_range OR invalid_argument_for_logarithm OR invalid_argument_for_power_function OR division_by_zero THEN
  PERFORM transom_sql.fail(-802, ''OUT OF RANGE'');
END $f$', f.name, f.formula);
  END LOOP;
END $do$;
CREATE OR REPLACE FUNCTION transom_sql.db2_real(v numeric, k bigint, c bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_real_f(v::double precision, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_real(v bpchar, k bigint, c bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_real_f(transom_sql.db2_convert_f(v, k, c), k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_atan2_f(x double precision, y double precision, bigint, bigint) RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF x = 0 AND y = 0 THEN PERFORM transom_sql.fail(-802, 'OUT OF RANGE'); END IF;
  RETURN atan2(y, x);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_power_f(a double precision, b double precision, bigint, bigint) RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  r double precision;
BEGIN
  r := power(a, b);
  IF r IN ('NaN', 'Infinity', '-Infinity') OR r = 0 AND a <> 0 THEN PERFORM transom_sql.fail(-802, 'OUT OF RANGE'); END IF;
  RETURN r;
EXCEPTION WHEN numeric_value_out_of_range OR invalid_argument_for_power_function THEN
  PERFORM transom_sql.fail(-802, 'OUT OF RANGE');
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_power(a numeric, b numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF a = 0 AND b < 0 THEN PERFORM transom_sql.fail(-802, 'OUT OF RANGE'); END IF;
  IF b = 0 OR a = 1 THEN RETURN 1; END IF;
  IF a = -1 THEN RETURN CASE mod(b, 2) WHEN 0 THEN 1 ELSE -1 END; END IF;
  IF a = 0 OR b < 0 THEN RETURN 0; END IF;
  IF b > 64 THEN PERFORM transom_sql.fail(-802, 'FIXED POINT OVERFLOW'); END IF;
  RETURN transom_sql.fit(power(a, b), code);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_round_f(a double precision, places numeric, bigint, bigint) RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  unit double precision := power(10::double precision, greatest(-38, least(38, trunc(places)))::double precision);
  m double precision := a * unit;
BEGIN
  RETURN CASE WHEN abs(m - trunc(m)) >= 0.5 THEN trunc(m) + sign(m) ELSE trunc(m) END / unit;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_round_f(a double precision, k bigint, c bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_round_f(a, 0, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_truncate_f(a double precision, places numeric, bigint, bigint) RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  unit double precision := power(10::double precision, greatest(-38, least(38, trunc(places)))::double precision);
BEGIN
  RETURN trunc(a * unit) / unit;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_truncate_f(a double precision, k bigint, c bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_truncate_f(a, 0, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_rand(bigint, bigint) RETURNS double precision LANGUAGE sql VOLATILE AS $$ SELECT random() $$;

-- Exact numbers.
CREATE OR REPLACE FUNCTION transom_sql.db2_sign(v numeric, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT sign(v) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_sign_f(v double precision, bigint, bigint) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT sign(v) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bitand(a numeric, b numeric, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a::bigint & b::bigint $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bitandnot(a numeric, b numeric, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a::bigint & ~ b::bigint $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bitor(a numeric, b numeric, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a::bigint | b::bigint $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bitxor(a numeric, b numeric, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a::bigint # b::bigint $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_bitnot(a numeric, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT ~ a::bigint $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_multiply_alt(a numeric, b numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.fit(a * b, code); END $$;
-- 16 digits are rounded half to even.
CREATE OR REPLACE FUNCTION transom_sql.db2_decfloat(v numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  t numeric := trim_scale(v); digits integer := length(ltrim(replace(abs(t)::text, '.', ''), '0'));
  places integer := scale(t) - digits + 16; cut numeric; unit numeric;
BEGIN
  IF (code >> 8) & 255 <> 16 OR digits <= 16 THEN RETURN t; END IF;
  cut := trunc(t, places);
  unit := ('1e' || -places)::numeric;
  IF abs(t - cut) * 2 > unit OR abs(t - cut) * 2 = unit AND mod(div(abs(cut), unit), 2) = 1 THEN cut := cut + sign(t) * unit; END IF;
  RETURN trim_scale(cut);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decfloat(v numeric, numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_decfloat(v, k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decfloat(v bpchar, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_decfloat(transom_sql.number_of(concat(v)), k, code) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_decfloat(v bpchar, numeric, k bigint, code bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_decfloat(transom_sql.number_of(concat(v)), k, code) $$;

-- Characters.
CREATE OR REPLACE FUNCTION transom_sql.db2_ascii(v bpchar, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT CASE ascii(concat(v)) WHEN 57344 THEN 0 ELSE ascii(concat(v)) END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_unicode(v bpchar, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_ascii(v, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_ascii_chr(n numeric, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  code integer := trunc(n)::bigint & 255;
BEGIN
  IF code > 127 THEN PERFORM transom_sql.fail(-84, 'ASCII_CHR above 127'); END IF;
  RETURN chr(CASE code WHEN 0 THEN 57344 ELSE code END)::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_hex(v numeric, kind bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  p integer := (kind >> 8) & 255; s integer := kind & 255;
BEGIN
  RETURN CASE kind >> 40
    WHEN 1 THEN right(lpad(upper(to_hex(v::integer)), 8, '0'), 4)
    WHEN 2 THEN lpad(upper(to_hex(v::integer)), 8, '0')
    WHEN 3 THEN lpad(upper(to_hex(v::bigint)), 16, '0')
    ELSE lpad(trunc(abs(v) * ('1e' || s)::numeric)::text, p / 2 * 2 + 1, '0') || CASE WHEN v < 0 THEN 'D' ELSE 'C' END END::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_hex(v bytea, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT upper(encode(v, 'hex'))::bpchar $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_hex(v date, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT to_char(v, 'YYYYMMDD')::bpchar $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_hex(v time, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT replace(transom_sql.shown(v), '.', '')::bpchar $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_hex(v timestamp, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT to_char(v, 'YYYYMMDDHH24MISSUS')::bpchar $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_hex(v bpchar, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(string_agg(transom_sql.code_of(c), '' ORDER BY n), '')::bpchar FROM unnest(string_to_array(concat(v), NULL)) WITH ORDINALITY AS x (c, n) $$;
-- Source with so many characters from a place on replaced.
CREATE OR REPLACE FUNCTION transom_sql.replaced(t text, start numeric, many numeric, new text, name text, place_of_start text, place_of_count text) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF trunc(start) < 1 OR trunc(start) > length(t) + 1 THEN PERFORM transom_sql.fail(-138, place_of_start, name); END IF;
  IF trunc(many) < 0 OR trunc(many) > length(t) AND place_of_count <> '' THEN PERFORM transom_sql.fail(-138, place_of_count, name); END IF;
  RETURN (left(t, trunc(start)::integer - 1) || new || substr(t, (trunc(start) + trunc(many))::integer))::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_insert(v bpchar, start numeric, many numeric, new bpchar, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.replaced(concat(v), start, many, concat(new), 'INSERT', '2', '3') $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_overlay(v bpchar, new bpchar, start numeric, many numeric, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.replaced(concat(v), start, many, concat(new), 'OVERLAY', '3', '4') $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_overlay(v bpchar, new bpchar, start numeric, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.replaced(concat(v), start, length(concat(new)), concat(new), 'OVERLAY', '3', '') $$;
-- A start below zero counts from the end, and goes to the front.
CREATE OR REPLACE FUNCTION transom_sql.db2_locate_in_string(v bpchar, what bpchar, start numeric, instance numeric, bigint, bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  t text := concat(v); w text := concat(what); s bigint := trunc(start); left_over bigint := trunc(instance); step integer := sign(trunc(start));
  place bigint := CASE WHEN s < 0 THEN length(t) + s + 1 ELSE s END;
BEGIN
  IF s = 0 THEN PERFORM transom_sql.fail(-171, '3', 'LOCATE_IN_STRING'); END IF;
  IF left_over < 1 THEN PERFORM transom_sql.fail(-171, '4', 'LOCATE_IN_STRING'); END IF;
  IF w = '' THEN RETURN 1; END IF;
  WHILE place BETWEEN 1 AND length(t) LOOP
    IF substr(t, place::integer, length(w)) = w THEN
      left_over := left_over - 1;
      IF left_over = 0 THEN RETURN place; END IF;
    END IF;
    place := place + step;
  END LOOP;
  RETURN 0;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_locate_in_string(v bpchar, what bpchar, start numeric, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_locate_in_string(v, what, start, 1, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_locate_in_string(v bpchar, what bpchar, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_locate_in_string(v, what, 1, 1, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_position(what bpchar, v bpchar, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT strpos(concat(v), concat(what)) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_substring(v bpchar, start numeric, len numeric, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  n integer := length(concat(v)); first integer := greatest(1, least(n + 1, trunc(start))); behind integer := greatest(1, least(n + 1, trunc(start) + trunc(len)));
BEGIN
  IF trunc(len) < 0 THEN PERFORM transom_sql.fail(-138, '3', 'SUBSTRING'); END IF;
  RETURN substr(concat(v), first, greatest(0, behind - first))::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_substring(v bpchar, start numeric, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT substr(concat(v), greatest(1, least(length(concat(v)) + 1, trunc(start)))::integer)::bpchar $$;
DO $do$
DECLARE
  f text;
BEGIN
  FOREACH f IN ARRAY ARRAY['lpad', 'rpad'] LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%1$s(v bpchar, len numeric, pad bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $f$
BEGIN
  IF trunc(len) < 0 OR trunc(len) > 32704 THEN PERFORM transom_sql.fail(-171, ''2'', ''%2$s''); END IF;
  IF concat(pad) = '''' THEN PERFORM transom_sql.fail(-171, ''3'', ''%2$s''); END IF;
  RETURN %1$s(concat(v), trunc(len)::integer, concat(pad))::bpchar;
END $f$', f, upper(f));
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%1$s(v bpchar, len numeric, k bigint, c bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.db2_%1$s(v, len, '' ''::bpchar, k, c) $f$', f);
  END LOOP;
END $do$;
CREATE OR REPLACE FUNCTION transom_sql.db2_translate(v bpchar, k bigint, c bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_upper(v, k, c) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_translate(v bpchar, new bpchar, old bpchar, pad bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF length(concat(pad)) <> 1 THEN PERFORM transom_sql.fail(-171, '4', 'TRANSLATE'); END IF;
  RETURN translate(concat(v), concat(old), rpad(concat(new), length(concat(old)), concat(pad)))::bpchar;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_translate(v bpchar, new bpchar, old bpchar, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT translate(concat(v), concat(old), rpad(concat(new), length(concat(old)), ' '))::bpchar $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_clob(v bpchar, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.sized(concat(v), code, 0); END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_clob(v bpchar, numeric, bigint, code bigint) RETURNS bpchar LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN transom_sql.sized(concat(v), code, 0); END $$;
-- Not immutable: what is raised is raised where it is come to.
CREATE OR REPLACE FUNCTION transom_sql.db2_raise_error(state bpchar, message bpchar, bigint, bigint) RETURNS bpchar LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF concat(state) !~ '^[0-9A-Z]{5}$' OR left(state, 2) IN ('00', '01', '02') THEN PERFORM transom_sql.fail(-435, concat(state)); END IF;
  PERFORM transom_sql.fail(-438, concat(message), concat(state));
  RETURN NULL;
END $$;

-- The calendar.
DO $do$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT * FROM (VALUES
      ('julian_day', 'v::date - date ''0001-01-01'' + 1721426', true, false),
      ('week', '(extract(doy FROM v)::integer - 1 + extract(dow FROM date_trunc(''year'', v))::integer) / 7 + 1', true, false),
      ('midnight_seconds', 'floor(extract(epoch FROM v::time))', false, true)
    ) AS all_parts (name, formula, of_dates, of_times)
  LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v timestamp, bigint, bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT (%s)::integer $f$', f.name, f.formula);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%1$s(v bpchar, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.db2_%1$s(transom_sql.guessed(concat(v)), k, c) $f$', f.name);
    IF f.of_dates THEN
      EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v date, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT (%s)::integer $f$', f.name, f.formula);
    END IF;
    IF f.of_times THEN
      EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_%s(v time, k bigint, c bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT (%s)::integer $f$', f.name, f.formula);
    END IF;
  END LOOP;
END $do$;
CREATE OR REPLACE FUNCTION transom_sql.any_moment(v date) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v::timestamp $$;
CREATE OR REPLACE FUNCTION transom_sql.any_moment(v timestamp) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT v $$;
CREATE OR REPLACE FUNCTION transom_sql.any_moment(v bpchar) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF length(rtrim(v)) > 10 THEN RETURN transom_sql.moment_of(concat(v)); END IF;
  RETURN transom_sql.day_of(concat(v))::timestamp;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.end_of_month(v timestamp) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT (date_trunc('month', v) + interval '1 month' - interval '1 day')::date + v::time $$;
CREATE OR REPLACE FUNCTION transom_sql.months_on(v timestamp, n numeric) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  r timestamp := transom_sql.moved(v, trunc(n), 'M');
BEGIN
  RETURN CASE v WHEN transom_sql.end_of_month(v) THEN transom_sql.end_of_month(r) ELSE r END;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.day_behind(v timestamp, name text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  n text := upper(rtrim(name)); wanted integer;
BEGIN
  wanted := array_position(ARRAY['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'], n);
  IF wanted IS NULL THEN wanted := array_position(ARRAY['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], n); END IF;
  IF wanted IS NULL THEN PERFORM transom_sql.fail(-171, '2', 'NEXT_DAY'); END IF;
  RETURN transom_sql.within(v + make_interval(days => (wanted - extract(isodow FROM v)::integer + 6) % 7 + 1));
END $$;
-- Whole months, and the rest as a part of a month of 31 days.
CREATE OR REPLACE FUNCTION transom_sql.months_apart(a timestamp, b timestamp) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  months bigint := (extract(year FROM a) - extract(year FROM b)) * 12 + extract(month FROM a) - extract(month FROM b);
  days bigint := extract(day FROM a) - extract(day FROM b); month numeric := 31 * 86400000000::numeric; rest numeric := 0;
BEGIN
  IF days <> 0 AND NOT (a = transom_sql.end_of_month(a) AND b = transom_sql.end_of_month(b)) THEN
    rest := days * 86400000000::numeric + ((extract(epoch FROM a::time) - extract(epoch FROM b::time)) * 1000000)::bigint;
  END IF;
  RETURN transom_sql.quotient(months * month + rest, month, 15);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.cut_off(v timestamp, name text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  unit text := upper(rtrim(name)); d date := v::date; first date;
BEGIN
  IF unit IN ('HH', 'HH12', 'HH24') THEN RETURN date_trunc('hour', v); END IF;
  IF unit = 'MI' THEN RETURN date_trunc('minute', v); END IF;
  IF unit = 'SS' THEN RETURN date_trunc('second', v); END IF;
  IF unit IN ('SYYYY', 'YYYY', 'YEAR', 'SYEAR', 'YYY', 'YY', 'Y') THEN RETURN date_trunc('year', v); END IF;
  IF unit IN ('IYYY', 'IYY', 'IY', 'I') THEN RETURN date_trunc('week', make_timestamp(extract(isoyear FROM v)::integer, 1, 4, 0, 0, 0)); END IF;
  IF unit = 'Q' THEN RETURN date_trunc('quarter', v); END IF;
  IF unit IN ('MONTH', 'MON', 'MM', 'RM') THEN RETURN date_trunc('month', v); END IF;
  IF unit = 'IW' THEN RETURN date_trunc('week', v); END IF;
  IF unit IN ('DDD', 'DD', 'J') THEN RETURN date_trunc('day', v); END IF;
  IF unit IN ('DAY', 'DY', 'D') THEN RETURN d - extract(dow FROM v)::integer; END IF;
  IF unit NOT IN ('WW', 'W') THEN PERFORM transom_sql.fail(-171, '2', 'TRUNC_TIMESTAMP'); END IF;
  first := date_trunc(CASE unit WHEN 'W' THEN 'month' ELSE 'year' END, v);
  RETURN d - (d - first) % 7;
END $$;
-- -20447: a format with something else in it than elements and what may stand between them.
CREATE OR REPLACE FUNCTION transom_sql.elements_of(form text, name text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  rest text := rtrim(upper(form)); out text[] := '{}'; e text; found text;
BEGIN
  WHILE rest <> '' LOOP
    found := NULL;
    FOREACH e IN ARRAY ARRAY['NNNNNN', 'SSSSS', 'MONTH', 'A.M.', 'P.M.', 'YYYY', 'IYYY', 'RRRR', 'HH24', 'HH12', 'YYY', 'IYY', 'DDD',
      'MON', 'DAY', 'FF1', 'FF2', 'FF3', 'FF4', 'FF5', 'FF6', 'CC', 'YY', 'IY', 'RR', 'DD', 'DY', 'MM', 'MI', 'MS',
      'HH', 'SS', 'FF', 'IW', 'ID', 'WW', 'US', 'AM', 'PM', 'Y', 'I', 'D', 'J', 'Q', 'W', '-', '.', '/', ',', '''', ';', ':', ' '] LOOP
      IF starts_with(rest, e) THEN found := e; EXIT; END IF;
    END LOOP;
    IF found IS NULL THEN PERFORM transom_sql.fail(-20447, rtrim(form), name); END IF;
    out := out || found;
    rest := substr(rest, length(found) + 1);
  END LOOP;
  IF out = '{}' THEN PERFORM transom_sql.fail(-20447, rtrim(form), name); END IF;
  RETURN out;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.formatted(v timestamp, form text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  e text; t text := ''; half boolean := extract(hour FROM v) < 12;
BEGIN
  FOREACH e IN ARRAY transom_sql.elements_of(form, 'VARCHAR_FORMAT') LOOP
    IF e IN ('MONTH', 'MON', 'DAY', 'DY', 'RR', 'RRRR') THEN PERFORM transom_sql.fail(-84, 'VARCHAR_FORMAT of ' || e); END IF;
    t := t || CASE
      WHEN e IN ('NNNNNN', 'FF') THEN to_char(v, 'US')
      WHEN e LIKE 'FF_' THEN left(to_char(v, 'US'), right(e, 1)::integer)
      WHEN e = 'SSSSS' THEN lpad(floor(extract(epoch FROM v::time))::text, 5, '0')
      WHEN e = 'CC' THEN lpad(((extract(year FROM v)::integer + 99) / 100)::text, 2, '0')
      WHEN e = 'J' THEN lpad((v::date - date '0001-01-01' + 1721426)::text, 7, '0')
      WHEN e IN ('AM', 'PM') THEN CASE WHEN half THEN 'AM' ELSE 'PM' END
      WHEN e IN ('A.M.', 'P.M.') THEN CASE WHEN half THEN 'A.M.' ELSE 'P.M.' END
      WHEN e ~ '[A-Z]' THEN to_char(v, e)
      ELSE e END;
  END LOOP;
  RETURN t;
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp_format(v bpchar, form bpchar, bigint, bigint) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  rest text := btrim(concat(v)); e text; d text; most integer; half boolean := false; afternoon boolean; us integer := 0;
  y integer; mo integer; da integer; doy integer; h integer := 0; mi integer := 0; s integer := 0; day date;
  ok boolean := true;
BEGIN
  FOREACH e IN ARRAY transom_sql.elements_of(concat(form), 'TIMESTAMP_FORMAT') LOOP
    IF e !~ '[A-Z]' THEN
      IF rest = '' OR strpos('-./,'';: ', left(rest, 1)) = 0 THEN ok := false; EXIT; END IF;
      rest := substr(rest, 2);
    ELSIF e IN ('AM', 'PM', 'A.M.', 'P.M.') THEN
      d := replace(upper(left(rest, length(e))), '.', '');
      IF length(rest) < length(e) OR d NOT IN ('AM', 'PM') THEN ok := false; EXIT; END IF;
      afternoon := d = 'PM';
      rest := substr(rest, length(e) + 1);
    ELSE
      most := CASE WHEN e = 'YYYY' THEN 4 WHEN e IN ('DDD', 'MS') THEN 3 WHEN e IN ('MM', 'DD', 'HH24', 'HH12', 'HH', 'MI', 'SS') THEN 2
        WHEN e IN ('NNNNNN', 'FF', 'US') THEN 6 WHEN e LIKE 'FF_' THEN right(e, 1)::integer END;
      IF most IS NULL THEN PERFORM transom_sql.fail(-84, 'TIMESTAMP_FORMAT of ' || e); END IF;
      d := substring(left(rest, most) FROM '^[0-9]+');
      IF d IS NULL THEN ok := false; EXIT; END IF;
      rest := substr(rest, length(d) + 1);
      CASE
        WHEN e = 'YYYY' THEN y := d; WHEN e = 'MM' THEN mo := d; WHEN e = 'DD' THEN da := d; WHEN e = 'DDD' THEN doy := d;
        WHEN e = 'HH24' THEN h := d; WHEN e IN ('HH12', 'HH') THEN h := d; half := true; WHEN e = 'MI' THEN mi := d; WHEN e = 'SS' THEN s := d;
        ELSE us := rpad(d, 6, '0');
      END CASE;
    END IF;
  END LOOP;
  IF NOT ok OR rest <> '' THEN PERFORM transom_sql.fail(-20448, rtrim(concat(v)), rtrim(concat(form))); END IF;
  IF y IS NULL OR mo IS NULL AND doy IS NULL THEN PERFORM transom_sql.fail(-84, 'TIMESTAMP_FORMAT of a format without year and month'); END IF;
  ok := y BETWEEN 1 AND 9999 AND (mo IS NULL OR doy IS NULL) AND mi < 60 AND s < 60
    AND CASE WHEN half THEN h BETWEEN 1 AND 12 ELSE h < 24 AND afternoon IS NULL END;
  IF ok AND doy IS NOT NULL THEN
    day := make_date(y, 1, 1) + doy - 1;
    ok := doy > 0 AND extract(year FROM day) = y;
  ELSIF ok THEN
    ok := mo BETWEEN 1 AND 12;
    IF ok THEN ok := coalesce(da, 1) BETWEEN 1 AND extract(day FROM transom_sql.end_of_month(make_timestamp(y, mo, 1, 0, 0, 0)))::integer; END IF;
    IF ok THEN day := make_date(y, mo, coalesce(da, 1)); END IF;
  END IF;
  IF NOT ok THEN PERFORM transom_sql.fail(-20448, rtrim(concat(v)), rtrim(concat(form))); END IF;
  IF half THEN h := h % 12 + CASE WHEN afternoon THEN 12 ELSE 0 END; END IF;
  RETURN day + make_time(h, mi, s) + us * interval '1 microsecond';
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp_format(v bpchar, form bpchar, numeric, k bigint, c bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT transom_sql.db2_timestamp_format(v, form, k, c) $$;
-- Months of 30 days and years of 365.
CREATE OR REPLACE FUNCTION transom_sql.db2_timestampdiff(unit numeric, duration numeric, bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  a numeric := trunc(abs(duration), 6); w numeric := trunc(a); us numeric := (a - trunc(a)) * 1000000; r numeric;
  y numeric := mod(div(w, 10000000000), 10000); mo numeric := mod(div(w, 100000000), 100); d numeric := mod(div(w, 1000000), 100);
  h numeric := mod(div(w, 10000), 100); mi numeric := mod(div(w, 100), 100); s numeric := mod(w, 100);
  days numeric := d + mo * 30 + y * 365; minutes numeric := mi + (h + days * 24) * 60;
BEGIN
  r := CASE trunc(unit) WHEN 1 THEN us + (s + minutes * 60) * 1000000 WHEN 2 THEN s + minutes * 60 WHEN 4 THEN minutes WHEN 8 THEN h + days * 24
    WHEN 16 THEN days WHEN 32 THEN div(d + mo * 30, 7) + y * 52 WHEN 64 THEN mo + y * 12 WHEN 128 THEN div(mo + y * 12, 3) WHEN 256 THEN y END;
  IF r IS NULL THEN PERFORM transom_sql.fail(-171, '1', 'TIMESTAMPDIFF'); END IF;
  RETURN transom_sql.fit(r * sign(duration), code);
END $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_timestampdiff(unit numeric, duration bpchar, k bigint, code bigint) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF btrim(concat(duration)) !~ '^[+-]?(\d+\.?\d*|\.\d+)$' THEN PERFORM transom_sql.fail(-171, '2', 'TIMESTAMPDIFF'); END IF;
  RETURN transom_sql.db2_timestampdiff(unit, btrim(concat(duration))::numeric, k, code);
END $$;
DO $do$
DECLARE
  f record;
BEGIN
  -- Of characters it is the date in them.
  FOR f IN SELECT * FROM (VALUES ('date', 'v::timestamp', 'date'), ('timestamp', 'v', 'timestamp'), ('bpchar', 'transom_sql.day_of(left(concat(v), 10))::timestamp', 'date')) AS all_kinds (kind, value, result) LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_add_months(v %1$s, n numeric, bigint, bigint) RETURNS %3$s LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.months_on(%2$s, n)::%3$s $f$', f.kind, f.value, f.result);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_next_day(v %1$s, n bpchar, bigint, bigint) RETURNS %3$s LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.day_behind(%2$s, n)::%3$s $f$', f.kind, f.value, f.result);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_last_day(v %1$s, bigint, bigint) RETURNS %3$s LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.end_of_month(%2$s)::%3$s $f$', f.kind, f.value, f.result);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_timestamp_iso(v %1$s, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.any_moment(v) $f$', f.kind);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_trunc_timestamp(v %1$s, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT date_trunc(''day'', transom_sql.any_moment(v)) $f$', f.kind);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_trunc_timestamp(v %1$s, unit bpchar, bigint, bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.cut_off(transom_sql.any_moment(v), unit) $f$', f.kind);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_varchar_format(v %1$s, form bpchar, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.formatted(transom_sql.any_moment(v), form)::bpchar $f$', f.kind);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_months_between(a %1$s, b date, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.months_apart(transom_sql.any_moment(a), transom_sql.any_moment(b)) $f$', f.kind);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_months_between(a %1$s, b timestamp, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.months_apart(transom_sql.any_moment(a), transom_sql.any_moment(b)) $f$', f.kind);
    EXECUTE format('CREATE OR REPLACE FUNCTION transom_sql.db2_months_between(a %1$s, b bpchar, bigint, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $f$ SELECT transom_sql.months_apart(transom_sql.any_moment(a), transom_sql.any_moment(b)) $f$', f.kind);
  END LOOP;
END $do$;
