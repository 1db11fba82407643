import { facts } from "../../facts.ts";

/** The mark of a provider, or the initial of its name. */
export const ProviderMark = ({ id, name }: { id: string; name: string }) => {
  const mark = facts.providers.find((provider) => provider.id === id)?.mark;
  if (!mark)
    return (
      <span
        aria-hidden="true"
        className="grid size-4.5 shrink-0 place-items-center rounded-full bg-pressed text-xs font-semibold"
      >
        {name.charAt(0).toUpperCase()}
      </span>
    );
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-4.5 shrink-0">
      {mark.map(({ d, color = "currentColor" }) => (
        <path key={d} d={d} fill={color} />
      ))}
    </svg>
  );
};
