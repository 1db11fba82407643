import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  type Call,
  isUniqueViolation,
  sessionActor,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import type { MemberRow } from "../members/queries.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { lockOrganization } from "./lock-organization.ts";
import { isSlugTaken, type OrganizationRow, updateOrganizationRow } from "./queries.ts";
import { showOrganizationObject } from "./show-organization.ts";

type UpdateOrganization = typeof operations.organization.updateOrganization;
type Change = Partial<Pick<OrganizationRow, "logo" | "metadata" | "name" | "slug">>;
type Needs = Pick<Deps, "clock" | "config" | "db">;

const readChange = ({ name, slug, logo, metadata }: Call<UpdateOrganization>["body"]["data"]) => ({
  ...(name === undefined ? {} : { name }),
  ...(slug === undefined ? {} : { slug }),
  ...(logo === undefined ? {} : { logo }),
  ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
});

/** What the audit tells of a change: of metadata, which may be anything, only that it changed. */
const audited = (row: OrganizationRow, change: Change): Record<string, unknown> =>
  Object.fromEntries(
    (Object.keys(change) as (keyof Change)[]).map((member) => [
      member,
      member === "metadata" ? "changed" : row[member],
    ]),
  );

const alreadyExists = () => new WireError("ORGANIZATION_ALREADY_EXISTS");
const notMember = () => new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");

const checkCaller = ({ config }: Pick<Needs, "config">, member: MemberRow | undefined): void => {
  if (!member) throw notMember();
  if (!allows(config.organization, member.role, ["organization", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");
};

const write = (
  deps: Needs,
  { caller, session }: Call<UpdateOrganization>,
  { id, change }: { id: string; change: Change },
): Promise<OrganizationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const row = await lockOrganization(trx, id);
    const membership = { organizationId: id, userId: session.user.id };
    if (!row) throw notMember();
    checkCaller(deps, await findMember({ db: trx }, membership));
    if (Object.keys(change).length === 0) return row;
    // Two that take each other's slug would wait for each other, were this left to the index alone.
    if (
      change.slug !== undefined &&
      change.slug !== row.slug &&
      (await isSlugTaken(trx, change.slug))
    )
      throw alreadyExists();
    const changed = await updateOrganizationRow(trx, id, change);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id },
      action: "organization.updated",
      caller,
      before: audited(row, change),
      after: audited(changed, change),
    });
    return changed;
  });

/**
 * Changes an organization; what is not named stays as it is. Throws `ORGANIZATION_NOT_FOUND` where none is named and the
 * session works in none, `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION` and
 * `ORGANIZATION_ALREADY_EXISTS` for the slug of another.
 */
export const updateOrganization = async (
  deps: Needs,
  call: Call<UpdateOrganization>,
): Promise<Answer<OperationReply<UpdateOrganization>>> => {
  const id = organizationOf(call.session, call.body.organizationId);
  if (!id) throw new WireError("ORGANIZATION_NOT_FOUND");
  const { userId } = call.session.session;
  checkCaller(deps, await findMember(deps, { organizationId: id, userId }));
  const row = await write(deps, call, { id, change: readChange(call.body.data) }).catch(
    (error: unknown) => {
      throw isUniqueViolation(error) ? alreadyExists() : error;
    },
  );
  return { reply: showOrganizationObject(row) };
};
