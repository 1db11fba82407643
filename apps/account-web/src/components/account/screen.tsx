import type { ReactNode } from "react";
import { facts } from "../../facts.ts";

interface ScreenProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The content of a screen for signed-in users. */
export const Screen = ({ title, lead, children }: ScreenProps) => (
  <div className="flex flex-col gap-6">
    <title>{`${title} – ${facts.branding.name}`}</title>
    <div className="min-w-0">
      <h1 className="text-xl font-semibold break-words">{title}</h1>
      {lead && <p className="mt-1 break-words text-muted">{lead}</p>}
    </div>
    {children}
  </div>
);
