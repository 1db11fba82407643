import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { Combobox } from "../ui/combobox.tsx";
import type { Choice } from "../ui/select.tsx";
import { useSettled } from "../use-settled.ts";

interface UserPickerProps {
  /** The accessible name, if it is not in a `Field`. */
  label?: string | undefined;
  placeholder?: string | undefined;
  value: Choice | null;
  onChange: (user: Choice | null) => void;
  className?: string | undefined;
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
  return [...users.values()].map(({ id, email }) => ({ value: id, label: email }));
};

/** Chooses a user by address, name or id. */
export const UserPicker = ({ value, placeholder, ...rest }: UserPickerProps) => {
  const [text, setText] = useState("");
  const asked = useSettled(text.trim());
  const { data, isError, isFetching } = useQuery({
    queryKey: ["operation", "user-picker", asked],
    queryFn: ({ signal }) => findUsers(asked, signal),
    placeholderData: keepPreviousData,
  });
  const emptyText = isFetching || asked !== text.trim() ? "Searching…" : "Nobody fits.";
  return (
    <Combobox
      {...rest}
      value={value}
      choices={data ?? []}
      onSearch={setText}
      placeholder={placeholder ?? "Address, name or id"}
      emptyText={isError ? "The search failed. Change the text to try again." : emptyText}
    />
  );
};
