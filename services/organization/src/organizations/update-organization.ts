import { operations, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Call } from "@latchkey/service-kit/http";
import {
  type Picture,
  pictureAddress,
  readPicture,
  servePicture,
  storePicture,
} from "@latchkey/service-kit/pictures";
import { type ActingMember, findOwnMembership } from "../access/own-membership.ts";
import type { Acting } from "../access/require-second-factor.ts";
import type { Deps, Handler } from "../deps.ts";
import { allows } from "../roles/role-rules.ts";
import {
  lockOrganization,
  type OrganizationChange,
  type OrganizationRow,
  showOrganizationObject,
} from "../rows/organizations.ts";
import { organizationOf } from "../sessions/active-organization.ts";
import { changeOrganization, orAlreadyExists, readChange } from "./change-organization.ts";

const notMember = () => new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");

const checkMayUpdate = (member: ActingMember | undefined): void => {
  if (!member) throw notMember();
  if (!allows(member.rules, member.role, ["organization", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");
};

const writeChange = (
  deps: Deps,
  { caller, session }: Acting,
  { id, change, picture }: { id: string; change: OrganizationChange; picture?: Picture },
): Promise<OrganizationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const row = await lockOrganization(trx, id);
    if (!row) throw notMember();
    checkMayUpdate(await findOwnMembership({ ...deps, db: trx }, { caller, session }, { id }));
    const by = { actor: sessionActor(session), caller };
    const changed = await changeOrganization(deps, trx, { row, change, ...by });
    if (picture) await storePicture(trx, picture);
    return changed;
  });

/**
 * Changes the named fields of an organization. Throws `ORGANIZATION_NOT_FOUND` if none is named and the session has no active one, and
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`. Throws `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION`, and `ORGANIZATION_ALREADY_EXISTS`
 * if another organization has the slug.
 */
export const updateOrganization: Handler<"updateOrganization"> = async (deps, call) => {
  const id = organizationOf(call.session, call.body.organizationId);
  if (!id) throw new WireError("ORGANIZATION_NOT_FOUND");
  checkMayUpdate(await findOwnMembership(deps, call, { id }));
  const change = await readChange(deps, call.body.data, { isTrusted: false });
  const row = await writeChange(deps, call, { id, change }).catch(orAlreadyExists);
  return { reply: showOrganizationObject(deps, row) };
};

/**
 * Stores a picture of an organization and makes its address the logo, in place of a former picture. Throws as `updateOrganization`, and
 * `PICTURE_TOO_LARGE` and `PICTURE_TYPE_NOT_SUPPORTED`.
 */
export const uploadOrganizationPicture: Handler<"uploadOrganizationPicture"> = async (
  deps,
  call,
) => {
  const id = organizationOf(call.session, call.body.organizationId);
  if (!id) throw new WireError("ORGANIZATION_NOT_FOUND");
  checkMayUpdate(await findOwnMembership(deps, call, { id }));
  const picture = readPicture(id, call.body.picture);
  const logo = pictureAddress(operations.organization.getOrganizationPicture, call, picture);
  const row = await writeChange(deps, call, { id, change: { logo }, picture });
  return { reply: showOrganizationObject(deps, row) };
};

/** Serves the picture of an organization. Throws `NOT_FOUND`. */
export const getOrganizationPicture = (
  { db }: Pick<Deps, "db">,
  { params }: Call<typeof operations.organization.getOrganizationPicture>,
) => servePicture(db, params.hash);
