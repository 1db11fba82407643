import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { Combobox } from "../ui/combobox.tsx";
import type { Choice } from "../ui/select.tsx";
import { useSettled } from "../use-settled.ts";
import { userText } from "./user-text.ts";

interface UserPickerProps {
  /** The accessible name, if it is not in a `Field`. */
  label?: string | undefined;
  placeholder?: string | undefined;
  value: Choice | null;
  onChange: (user: Choice | null) => void;
  className?: string | undefined;
  /** Also offers the typed text as an id: of a deleted user, or of something else than a user. */
  takesIds?: boolean | undefined;
}

const limit = "8";

const findUsers = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
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

const idChoice = (text: string): Choice => ({ value: text, label: `ID ${text}` });

/** Chooses a user by email address, name or id. */
export const UserPicker = ({ value, placeholder, takesIds, ...rest }: UserPickerProps) => {
  const [text, setText] = useState("");
  const asked = useSettled(text.trim());
  const { data, isError, isFetching } = useQuery({
    queryKey: ["operation", "user-picker", asked],
    queryFn: ({ signal }) => findUsers(asked, signal),
    placeholderData: keepPreviousData,
  });
  const found = data ?? [];
  const isId = takesIds && asked !== "" && asked !== value?.label && !isFetching;
  const isKnown = found.some((user) => user.value === asked);
  const emptyText = isFetching || asked !== text.trim() ? "Searching…" : "No results.";
  return (
    <Combobox
      {...rest}
      value={value}
      choices={isId && !isKnown ? [...found, idChoice(asked)] : found}
      onSearch={setText}
      placeholder={placeholder ?? "Email, name, or ID"}
      emptyText={isError ? "The search failed. Edit the text to try again." : emptyText}
    />
  );
};
