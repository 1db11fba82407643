import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { SearchPicker, type SearchPickerProps } from "../search-picker.tsx";
import type { Choice } from "../ui/select.tsx";
import { userText } from "./user-text.ts";

type UserPickerProps = Omit<SearchPickerProps, "find" | "name">;

const limit = "8";

/** Returns the users whose email address, name or id matches. */
export const findUsers = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
  const list = operations.identity.adminListUsers;
  const asked = [
    { searchField: "email", searchValue: text, limit },
    { searchField: "name", searchValue: text, limit },
    { filterField: "id", filterValue: text, filterOperator: "eq", limit },
  ] as const;
  const found = await Promise.all(
    (text ? asked : asked.slice(0, 1)).map((query) => call(list, { query }, signal)),
  );
  const users = new Map(found.flatMap((page) => page.users).map((user) => [user.id, user]));
  return [...users.values()].map((user) => ({ value: user.id, label: userText(user) }));
};

/** Chooses a user by email address, name or id. */
export const UserPicker = (props: UserPickerProps) => (
  <SearchPicker {...props} name="user-picker" find={findUsers} />
);
