import { type FullUser, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Refuses a user whom the options, or the application's function in them, do not allow to create organizations. */
export const checkMayCreate = async (
  { config }: Pick<Deps, "config">,
  user: FullUser,
): Promise<void> => {
  const { allowUserToCreateOrganization, organizationCreation } = config.organization;
  const isAllowed =
    typeof allowUserToCreateOrganization === "function"
      ? await allowUserToCreateOrganization(user)
      : allowUserToCreateOrganization;
  if (!isAllowed || organizationCreation.disabled)
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION");
};

/**
 * Refuses a user who has as many organizations as the application's function allows. A numeric limit is enforced by
 * `checkOrganizationLimit`.
 */
export const checkChosenLimit = async (
  { config }: Pick<Deps, "config">,
  user: FullUser,
): Promise<void> => {
  const { organizationLimit } = config.organization;
  if (typeof organizationLimit === "function" && (await organizationLimit(user)))
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS");
};
