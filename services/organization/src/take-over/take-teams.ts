import {
  createTableTaker,
  type SourceBatch,
  takeBatch,
  type TakenBatch,
  type TakePlan,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { GivenTeam } from "./given.ts";
import { takenTeams } from "./queries.ts";
import { idLengthMax, missingOrganization, readTime } from "./read-values.ts";

const nameLengthMax = 10_000;

/** Takes over teams; those who were in one that is gone there stay in the organization. */
export const takeTeams = (
  deps: Pick<Deps, "clock" | "db">,
  batch: SourceBatch<GivenTeam>,
): Promise<TakenBatch> =>
  takeBatch(
    deps,
    {
      ...createTableTaker(deps.db, takenTeams),
      plan: async (given) => {
        const made: TakePlan<object> = { rows: [], left: [], noted: [] };
        for (const { key, hash, values } of given) {
          const { id, organizationId } = values;
          const missing = missingOrganization(values, batch);
          const reason = missing ?? (id.length > idLengthMax ? "its id is too long" : undefined);
          const name = (values.name ?? "").slice(0, nameLengthMax);
          const createdAt = readTime(values.createdAt, deps.clock());
          const updatedAt =
            values.updatedAt === null ? null : readTime(values.updatedAt, deps.clock());
          const row = { id, name, organizationId, createdAt, updatedAt };
          if (reason) made.left.push({ key, reason });
          else made.rows.push({ key, hash, values: row });
        }
        return made;
      },
    },
    batch,
  );
