import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Combobox } from "@latchkey/ui/components/combobox.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { useSettled } from "./use-settled.ts";
import { t } from "../texts.ts";

export interface SearchPickerProps {
  /** The name of the cached results. */
  name: string;
  /** Returns the choices for a text, which may be empty. */
  find: (text: string, signal: AbortSignal) => Promise<Choice[]>;
  /** The accessible name, if it is not in a `Field`. */
  label?: string | undefined;
  placeholder?: string | undefined;
  value: Choice | null;
  onChange: (chosen: Choice | null) => void;
  className?: string | undefined;
  /** Also offers the typed text as an id, such as that of a deleted user. */
  takesIds?: boolean | undefined;
}

const idChoice = (text: string): Choice => ({ value: text, label: t("pickers.id", { id: text }) });

/** Chooses one of the results of a search on the server. */
export const SearchPicker = (props: SearchPickerProps) => {
  const { name, find, value, placeholder, takesIds, ...rest } = props;
  const [text, setText] = useState("");
  const searchText = useSettled(text.trim());
  const { data, isError, isFetching } = useQuery({
    queryKey: ["operation", name, searchText],
    queryFn: ({ signal }) => find(searchText, signal),
    placeholderData: keepPreviousData,
  });
  const matches = data ?? [];
  const isId = takesIds && searchText !== "" && searchText !== value?.label && !isFetching;
  const isKnown = matches.some((choice) => choice.value === searchText);
  const emptyText =
    isFetching || searchText !== text.trim() ? t("pickers.searching") : t("ui.noResults");
  return (
    <Combobox
      {...rest}
      value={value}
      choices={isId && !isKnown ? [...matches, idChoice(searchText)] : matches}
      onSearch={setText}
      placeholder={placeholder ?? t("pickers.hint")}
      emptyText={isError ? t("pickers.failed") : emptyText}
    />
  );
};
