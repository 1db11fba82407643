import { Button } from "@latchkey/ui/components/button.tsx";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useAccess } from "../../access/use-access.ts";
import { OrganizationPicker } from "../organizations/organization-picker.tsx";
import { useNamedUser } from "../users/use-named-user.ts";
import { UserPicker } from "../users/user-picker.tsx";
import { userText } from "../users/user-text.ts";
import { useNamedThing } from "./use-named-thing.ts";
import { t } from "../../texts.ts";

const kinds = {
  user: {
    needs: "user:list",
    label: t("common.user"),
    showAll: "pickers.showAllUsers",
    Picker: UserPicker,
  },
  organization: {
    needs: "organization:list",
    label: t("common.organization"),
    showAll: "pickers.showAllOrganizations",
    Picker: OrganizationPicker,
  },
} as const;

interface PartyFilterProps {
  kind: keyof typeof kinds;
  /** The kind of the filtered rows. */
  rows: "events" | "webhooks";
  id: string | undefined;
  onChange: (id: string | undefined) => void;
}

type ChosenProps = PartyFilterProps & { id: string };

const Chosen = ({ kind, rows, id, onChange }: ChosenProps) => {
  const thing = useNamedThing(kind, id);
  const { user } = useNamedUser(kind === "user" ? id : undefined);
  const name = (user ? userText(user) : thing) ?? id;
  return (
    <Button
      aria-label={t(kinds[kind].showAll, { rows: t(`screens.${rows}`), name })}
      onClick={() => onChange(undefined)}
    >
      <bdi className="max-w-32 truncate">{name}</bdi>
      <X />
    </Button>
  );
};

/** Filters a list by a user or an organization, found by name. */
export const PartyFilter = (props: PartyFilterProps): ReactNode => {
  const { may } = useAccess();
  const { kind, id, onChange } = props;
  const { needs, label, Picker } = kinds[kind];
  if (id !== undefined) return <Chosen {...props} id={id} />;
  if (!may(needs)) return null;
  return (
    <Picker
      label={label}
      placeholder={label}
      className="w-36"
      value={null}
      takesIds
      onChange={(chosen) => onChange(chosen?.value)}
    />
  );
};
