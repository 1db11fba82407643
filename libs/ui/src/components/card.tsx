import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";

interface CardProps {
  title?: string | undefined;
  /** Buttons next to the heading. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A section of a screen with its heading. */
export const Card = ({ title, actions, children, className }: CardProps) => {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={classNames("ui-card", className)}
    >
      {(title !== undefined || actions) && (
        <div className="ui-card-head mb-2 flex min-h-8 items-center justify-between gap-3">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
};
