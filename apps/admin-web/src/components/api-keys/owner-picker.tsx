import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { SearchPicker, type SearchPickerProps } from "../search-picker.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { findUsers } from "../users/user-picker.tsx";
import { ownerValue } from "./owner-choice.ts";
import { useOrganizationKeys } from "./use-organization-keys.ts";

const limit = 8;

const findOrganizations = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
  const list = operations.organization.adminListOrganizations;
  const asked = text
    ? [
        { searchValue: text, limit },
        { ids: text, limit },
      ]
    : [{ limit }];
  const found = await Promise.all(asked.map((query) => call(list, { query }, signal)));
  const organizations = new Map(
    found.flatMap((page) => page.organizations).map((one) => [one.id, one]),
  );
  return [...organizations.values()].map(({ id, name }) => ({
    value: ownerValue({ organizationId: id }),
    label: `${name} (organization)`,
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
    const found = await Promise.all([
      may("user:list") ? findUserOwners(text, signal) : [],
      hasOrganizations ? findOrganizations(text, signal) : [],
    ]);
    return found.flat();
  };
  return <SearchPicker {...props} name={`owner-picker ${hasOrganizations}`} find={find} />;
};
