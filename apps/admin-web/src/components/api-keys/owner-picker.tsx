import { useAccess } from "../../access/use-access.ts";
import { SearchPicker, type SearchPickerProps } from "../search-picker.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { findOrganizations } from "../organizations/organization-picker.tsx";
import { findUsers } from "../users/user-picker.tsx";
import { ownerValue } from "./owner-choice.ts";
import { useOrganizationKeys } from "./use-organization-keys.ts";
import { t } from "../../texts.ts";

const findOrganizationOwners = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
  const organizations = await findOrganizations(text, signal);
  return organizations.map(({ id, name }) => ({
    value: ownerValue({ organizationId: id }),
    label: t("pickers.organization", { name }),
  }));
};

const findUserOwners = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
  const users = await findUsers(text, signal);
  return users.map(({ value, label }) => ({ value: ownerValue({ userId: value }), label }));
};

type OwnerPickerProps = Omit<SearchPickerProps, "find" | "name">;

/** Chooses the owner of a key: a user, or an organization if those may own keys. The value is that of `ownerValue`. */
export const OwnerPicker = (props: OwnerPickerProps) => {
  const hasOrganizations = useOrganizationKeys();
  const { may } = useAccess();
  const find = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
    const owners = await Promise.all([
      may("user:list") ? findUserOwners(text, signal) : [],
      hasOrganizations ? findOrganizationOwners(text, signal) : [],
    ]);
    return owners.flat();
  };
  return <SearchPicker {...props} name={`owner-picker ${hasOrganizations}`} find={find} />;
};
