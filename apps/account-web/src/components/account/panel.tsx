import { Card } from "@latchkey/ui/components/card.tsx";
import type { ReactNode } from "react";

interface PanelProps {
  title: string;
  /** A sentence below the heading. */
  text?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A section of a screen, with its heading and an explanation. */
export const Panel = ({ title, text, actions, children }: PanelProps) => (
  <Card title={title} actions={actions}>
    <div className="flex flex-col gap-4">
      {text && <p className="text-pretty text-muted">{text}</p>}
      {children}
    </div>
  </Card>
);
