import { isEmailAddress } from "@latchkey/contracts";
import {
  createTableImporter,
  type GivenRow,
  idLengthMax,
  readGiven,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  type ImportPlan,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type GivenInvitation, importedColumns } from "./given.ts";
import { importedInvitations } from "./queries.ts";
import { missingOrganization, readRole } from "./read-values.ts";

type Needs = Pick<Deps, "clock" | "config" | "db">;
type Batch = SourceBatch<GivenInvitation>;

const states = new Set(["pending", "accepted", "rejected", "canceled"]);

const refusalOf = ({ values }: GivenRow<GivenInvitation>, batch: Batch): string | undefined => {
  const { id, email, inviterId, hasInviter, status, expiresAt } = values;
  if (!inviterId || !hasInviter || batch.isLeft("user", inviterId))
    return "its inviter was not brought";
  if (!isEmailAddress(email)) return "its e-mail address is none";
  if (!states.has(status ?? "")) return "its status is unknown";
  if (expiresAt === null) return "it has no expiry";
  return (
    missingOrganization(values, batch) ??
    (id.length > idLengthMax ? "its id is too long" : undefined)
  );
};

const plan = (deps: Needs, given: readonly GivenRow<GivenInvitation>[], batch: Batch) => {
  const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
  const now = deps.clock();
  const lifetime = deps.config.organization.invitationExpiresIn * 1000;
  for (const one of given) {
    const { key, hash, values } = one;
    const { teamId } = values;
    const note = (reason: string) => made.noted.push({ key, reason });
    const role = readRole(deps.config, values.role ?? "member", note);
    const reason =
      refusalOf(one, batch) ??
      (role === undefined ? "it has no role of organization.roles" : undefined);
    if (reason) made.left.push({ key, reason });
    else {
      const read = readGiven(importedColumns.invitation, values);
      const expiresAt = read.expiresAt ?? new Date(now);
      // The older schema does not record when an invitation was sent.
      const sent = Math.min(now, expiresAt.getTime() - lifetime);
      const createdAt = read.createdAt ?? new Date(sent);
      const isTeamThere = teamId !== null && !batch.isLeft("team", teamId);
      const row = {
        ...read,
        email: values.email?.toLowerCase(),
        role,
        teamId: isTeamThere ? teamId : null,
        expiresAt,
        createdAt,
        mailedAt: createdAt,
      };
      made.rows.push({ key, hash, values: row });
    }
  }
  return made;
};

/** Imports invitations, whatever their status. Pending ones can be accepted by their existing links. */
export const importInvitations = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedInvitations),
      endsRefused: true,
      plan: async (given) => plan(deps, given, batch),
    },
    batch,
  );
