import { Fragment, type ReactNode } from "react";

/** A list of names and values. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-8 gap-y-2">
    {Object.entries(facts).map(([name, value]) => (
      <Fragment key={name}>
        <dt className="text-muted">{name}</dt>
        <dd className="min-h-6 break-words">{value}</dd>
      </Fragment>
    ))}
  </dl>
);
