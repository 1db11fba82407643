import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { SearchPicker, type SearchPickerProps } from "../search-picker.tsx";
import { t } from "../../texts.ts";

const { adminListOrganizations } = operations.organization;
type Organization = CallReply<typeof adminListOrganizations>["organizations"][number];

const limit = 8;

/** Returns the organizations whose name, slug or id matches. */
export const findOrganizations = async (
  text: string,
  signal: AbortSignal,
): Promise<Organization[]> => {
  const queries = text
    ? [
        { searchValue: text, limit },
        { ids: text, limit },
      ]
    : [{ limit }];
  const pages = await Promise.all(
    queries.map((query) => call(adminListOrganizations, { query }, signal)),
  );
  const byId = new Map(pages.flatMap((page) => page.organizations).map((one) => [one.id, one]));
  return [...byId.values()];
};

const findChoices = async (text: string, signal: AbortSignal): Promise<Choice[]> =>
  (await findOrganizations(text, signal)).map(({ id, name }) => ({ value: id, label: name }));

type OrganizationPickerProps = Omit<SearchPickerProps, "find" | "name">;

/** Chooses an organization by name, slug or id. */
export const OrganizationPicker = (props: OrganizationPickerProps) => (
  <SearchPicker
    placeholder={t("pickers.nameOrId")}
    {...props}
    name="organization-picker"
    find={findChoices}
  />
);
