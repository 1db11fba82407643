import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import { inputStyle } from "./input-style.ts";

interface SearchBoxProps {
  /** The accessible name. */
  label: string;
  /** The placeholder, if not the label. */
  hint?: string | undefined;
  value: string;
  onChange: (text: string) => void;
}

const pauseMs = 300;

/** Searches after a pause in typing, and immediately on Enter. */
export const SearchBox = ({ label, hint, value, onChange }: SearchBoxProps) => {
  const [text, setText] = useState(value);
  const searchText = useRef(value);
  const search = useEffectEvent((wanted: string) => {
    searchText.current = wanted;
    onChange(wanted);
  });
  useEffect(() => {
    // Only a change from elsewhere, such as the back button, replaces the text that is being typed.
    if (value !== searchText.current) setText(value);
    searchText.current = value;
  }, [value]);
  useEffect(() => {
    if (text === searchText.current) return undefined;
    const timer = setTimeout(() => search(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <form
      role="search"
      className="relative max-w-72 min-w-0 grow basis-48 max-sm:max-w-none"
      onSubmit={(event) => {
        event.preventDefault();
        searchText.current = text;
        onChange(text);
      }}
    >
      <Search className="pointer-events-none absolute top-1/2 start-2.5 size-4 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint ?? label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        maxLength={255}
        className={classNames(inputStyle, "ps-8")}
      />
    </form>
  );
};
