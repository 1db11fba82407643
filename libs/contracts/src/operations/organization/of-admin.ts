import { z } from "zod";
import { id } from "./objects.ts";

/** Members common to the operations of installation admins on organizations. */
export const ofAdmin = {
  owner: "organization",
  exposure: "public",
  rateClass: "general",
  feature: "organizationAdmin",
  access: "permission",
  refusesImpersonators: true,
} as const;

export const may = <const Refusal extends string>(action: string, refusal: Refusal) =>
  ({ resource: "organization", action, refusal }) as const;

export const mayUpdate = may("update", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");

/** The organization of the path. */
export const ofOrganization = z.object({ id });
