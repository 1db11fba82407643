import { Check } from "lucide-react";

export const LimitsList = ({ words }: { words: readonly string[] }) => (
  <ul className="flex flex-col gap-1">
    {words.map((sentence) => (
      <li key={sentence} className="flex items-start gap-2">
        <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-link" />
        <bdi className="min-w-0 break-words">{sentence}</bdi>
      </li>
    ))}
  </ul>
);
