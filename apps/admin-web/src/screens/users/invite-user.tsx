import { showEmail } from "@latchkey/contracts/email-address.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { RequiredFields, startTexts } from "../../components/users/required-fields.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import {
  IdentityFields,
  newUserFieldOf,
  newUserFields,
  type NewUserFields,
  RoleField,
} from "./new-user-fields.tsx";
import { t } from "../../texts.ts";

const invitation = z.object(newUserFields);

const noInvitation: NewUserFields = {
  email: "",
  name: "",
  roles: [],
  fields: startTexts(),
};
const draft = "invite-user";

const useInvite = () => {
  const navigate = useNavigate();
  const invite = useOperation(operations.identity.adminInviteUser, {
    showsError: true,
    done: ({ user }) => t("users.invite.done", { email: showEmail(user.email) }),
    onDone: ({ user }) => {
      discardDraft(draft);
      return navigate({ to: "/users/$userId", params: { userId: user.id } });
    },
  });
  const form = useForm<NewUserFields, z.output<typeof invitation>>({
    resolver: zodResolver(invitation),
    defaultValues: noInvitation,
    change: invite,
    fieldOf: newUserFieldOf,
    onSubmit: ({ email, name, roles, fields }) =>
      invite.mutate({
        body: { email, name, ...(roles.length > 0 && { role: roles }), data: fields },
      }),
  });
  useDraft({ form, name: draft, defaults: noInvitation });
  return form;
};

const InviteForm = ({ onClose }: { onClose: () => void }) => {
  const form = useInvite();
  return (
    <DialogForm form={form} action={t("users.invite.action")} onClose={onClose}>
      <IdentityFields form={form} />
      <RequiredFields form={form} />
      <RoleField form={form} />
    </DialogForm>
  );
};

interface InviteUserProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a user without a password, who chooses one by a mailed link. */
export const InviteUser = ({ isOpen, onOpenChange }: InviteUserProps) => {
  const giveUp = () => {
    discardDraft(draft);
    onOpenChange(false);
  };
  return (
    <Dialog
      title={t("users.invite.title")}
      description={t("users.invite.text")}
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
    >
      <InviteForm onClose={giveUp} />
    </Dialog>
  );
};
