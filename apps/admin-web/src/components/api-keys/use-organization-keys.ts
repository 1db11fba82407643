import { useAccess } from "../../access/use-access.ts";
import { useOption } from "../use-option.ts";

/**
 * Whether this admin may find organizations, and organizations may own keys. Assumes that they may if the admin cannot read the
 * settings.
 */
export const useOrganizationKeys = (): boolean => {
  const { may } = useAccess();
  const isOn = useOption("apiKey.organizationKeys.enabled");
  return may("organization:list") && (isOn === undefined ? !may("settings:read") : isOn === true);
};
