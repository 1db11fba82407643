import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { SearchPicker, type SearchPickerProps } from "../search-picker.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { userText } from "./user-text.ts";

type UserPickerProps = Omit<SearchPickerProps, "find" | "name">;

const limit = "8";

/** Returns the users whose email address, name, username or id matches. */
export const findUsers = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
  const query = { searchField: "any", searchValue: text, limit } as const;
  const { users } = await call(operations.identity.adminListUsers, { query }, signal);
  return users.map((user) => ({ value: user.id, label: userText(user) }));
};

/** Chooses a user by email address, name or id. */
export const UserPicker = (props: UserPickerProps) => (
  <SearchPicker {...props} name="user-picker" find={findUsers} />
);
