"use client";

import { useOrganization } from "../organization/use-organization.ts";
import { useSession } from "../session/use-session.ts";
import { Disclosure } from "./disclosure.tsx";
import { useAttempt } from "./use-attempt.ts";

export interface OrganizationSwitcherProps {
  className?: string | undefined;
  /** Removes the choice of no organization. */
  hidePersonal?: boolean | undefined;
  /** Runs after the active organization has changed. Null means none. */
  onSwitched?: ((organizationId: string | null) => void) | undefined;
  /** Replaces the texts. */
  labels?: Partial<typeof defaultLabels> | undefined;
}

const defaultLabels = {
  open: "Organization",
  personal: "Personal account",
  failed: "Switching failed. Try again.",
  unavailable: "Organizations could not be loaded.",
};

/** A button with the name of the active organization. It opens the organizations of the user, and changes the active one. */
export const OrganizationSwitcher = ({
  className,
  hidePersonal = false,
  onSwitched,
  labels,
}: OrganizationSwitcherProps) => {
  const { session } = useSession();
  const { status, organizations, organization, setActive } = useOrganization();
  const { isPending, hasFailed, run } = useAttempt();
  if (!session || status === "loading") return null;
  const texts = { ...defaultLabels, ...labels };
  // Without the list, the name of the active organization is not known.
  const name = status === "error" ? texts.open : (organization?.name ?? texts.personal);
  const personal = hidePersonal ? [] : [{ id: null, name: texts.personal }];
  const choices = status === "error" ? [] : [...personal, ...organizations];
  const failure = hasFailed ? texts.failed : "";
  return (
    <Disclosure
      name="organization-switcher"
      className={className}
      naming={{ "aria-label": status === "error" ? texts.open : `${texts.open}: ${name}` }}
      button={name}
      problem={status === "error" ? texts.unavailable : failure}
    >
      {(close) => (
        <ul className="latchkey-list">
          {choices.map(({ id, name }) => (
            <li key={id ?? ""}>
              <button
                type="button"
                className="latchkey-item"
                aria-current={(organization?.id ?? null) === id}
                aria-disabled={isPending}
                onClick={() =>
                  run(
                    () => setActive(id),
                    () => {
                      close();
                      onSwitched?.(id);
                    },
                  )
                }
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
};
