import { type Kysely, sql } from "kysely";
import { tables, type Tables } from "../db/tables.ts";

export interface HourFigures {
  hour: Date;
  delivered: number;
  failedAttempts: number;
  answered: number;
  meanMilliseconds: number;
  maxMilliseconds: number;
}

/** Returns the figures of an endpoint for each hour of a period, both included, oldest first. */
export const listHours = async (
  db: Kysely<Tables>,
  { endpointId, from, to }: { endpointId: string; from: Date; to: Date },
): Promise<HourFigures[]> => {
  const { rows } = await sql<HourFigures>`
    select hours.hour, coalesce(delivered, 0)::int as delivered,
      coalesce(failed_attempts, 0)::int as failed_attempts, coalesce(answered, 0)::int as answered,
      case when answered > 0 then round(total_milliseconds / answered)::int else 0 end as mean_milliseconds,
      coalesce(max_milliseconds, 0)::int as max_milliseconds
    from generate_series(${from}::timestamptz, ${to}::timestamptz, interval '1 hour') as hours (hour)
    left join ${tables.endpointHour} on endpoint_id = ${endpointId} and endpoint_hour.hour = hours.hour
    order by hours.hour`.execute(db);
  return rows;
};
