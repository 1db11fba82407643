import type { Pool } from "pg";

/** The definition of each object by its kind and name, such as `column identity.user.email`. Independent of order. */
export type Shape = ReadonlyMap<string, string>;

/** The queries of each kind. They return the columns `thing` and `shape` for the schemas in `$1`. */
const parts = {
  tables: `
    select format('%s %s.%s', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, nspname, relname) as thing,
      concat_ws(' ', relpersistence, case when relrowsecurity then 'row security' end, reloptions::text,
        case relkind when 'v' then pg_get_viewdef(pg_class.oid)
          when 'S' then (select concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle)
            from pg_sequence where seqrelid = pg_class.oid) end,
        obj_description(pg_class.oid, 'pg_class')) as shape
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = any($1) and relkind in ('r', 'p', 'v', 'm', 'S')`,
  columns: `
    select format('column %s.%s.%s', nspname, relname, attname) as thing,
      concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'required' end,
        case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
        nullif('identity ' || attidentity::text, 'identity '), nullif('generated ' || attgenerated::text, 'generated '),
        'default ' || pg_get_expr(adbin, adrelid)) as shape
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
      join pg_type on pg_type.oid = atttypid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where nspname = any($1) and relkind in ('r', 'p') and attnum > 0 and not attisdropped`,
  statistics: `
    select format('statistics of %s.%s.%s', nspname, relname, attname) as thing, attstattarget::text as shape
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = any($1) and attnum > 0 and not attisdropped and coalesce(attstattarget, -1) >= 0`,
  // Skips not-null constraints, which some versions of Postgres name. The columns contain them already.
  constraints: `
    select format('constraint %s.%s.%s', nspname, relname, conname) as thing,
      concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), case when not convalidated then 'not valid' end) as shape
    from pg_constraint join pg_class on pg_class.oid = conrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = any($1) and contype <> 'n'`,
  indexes: `
    select format('index %s.%s.%s', nspname, relation.relname, pg_class.relname) as thing,
      concat_ws(' ', pg_get_indexdef(indexrelid), case when not indisvalid then 'invalid' end) as shape
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_namespace on pg_namespace.oid = pg_class.relnamespace
      join pg_class relation on relation.oid = indrelid
    where nspname = any($1)`,
  functions: `
    select format('function %s.%s(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)) as thing,
      pg_get_functiondef(pg_proc.oid) as shape
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = any($1) and prokind in ('f', 'p')`,
  triggers: `
    select format('trigger %s.%s.%s', nspname, relname, tgname) as thing, pg_get_triggerdef(pg_trigger.oid) as shape
    from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = any($1) and not tgisinternal`,
  types: `
    select format('type %s.%s', nspname, typname) as thing,
      concat_ws(' ', typtype::text, (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid)) as shape
    from pg_type join pg_namespace on pg_namespace.oid = typnamespace
    where nspname = any($1) and typtype in ('e', 'd') or nspname = any($1) and typtype = 'c'
      and exists (select from pg_class where pg_class.oid = typrelid and relkind = 'c')`,
  rights: `
    with given as (
      select format('right to schema %s', nspname) as thing, nspname, (aclexplode(nspacl)).* from pg_namespace
      union all select format('right to %s.%s', nspname, relname), nspname, (aclexplode(relacl)).*
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      union all select format('right to %s.%s()', nspname, proname), nspname, (aclexplode(proacl)).*
        from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
      union all select format('right to what comes in %s as %s', nspname, defaclobjtype::text), nspname, (aclexplode(defaclacl)).*
        from pg_default_acl join pg_namespace on pg_namespace.oid = defaclnamespace
    )
    select format('%s of %s', thing, case grantee when 0 then 'everybody' else grantee::regrole::text end) as thing,
      string_agg(privilege_type || case when is_grantable then '*' else '' end, ',' order by privilege_type) as shape
    from given where nspname = any($1) group by thing, grantee`,
} as const;

/** Reads the definitions of everything in some schemas except the rows. */
export const readShape = async (
  pool: Pick<Pool, "query">,
  schemas: readonly string[],
): Promise<Shape> => {
  const shape = new Map<string, string>();
  for (const part of Object.values(parts)) {
    const { rows } = await pool.query<{ thing: string; shape: string }>(part, [schemas]);
    for (const row of rows) shape.set(row.thing, row.shape);
  }
  return shape;
};
