import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import {
  IdentityFields,
  newUserFields,
  type NewUserFields,
  RoleField,
} from "./new-user-fields.tsx";

const names = ["email", "name", "role"] as const;
const aboutFields = { INVALID_EMAIL: "email", USER_ALREADY_EXISTS: "email" } as const;

const noInvitation: NewUserFields = { email: "", name: "", roles: [] };
const draft = "invite-user";

const useInvite = () => {
  const navigate = useNavigate();
  const form = useForm<NewUserFields>({
    resolver: zodResolver(z.object(newUserFields)),
    defaultValues: noInvitation,
  });
  useDraft({ form, name: draft, defaults: noInvitation });
  const invite = useOperation(operations.identity.adminInviteUser, {
    showsError: true,
    done: ({ user }) => `Invitation sent to ${user.email}.`,
    onDone: ({ user }) => {
      discardDraft(draft);
      return navigate({ to: "/users/$userId", params: { userId: user.id } });
    },
  });
  const submit = form.handleSubmit(({ email, name, roles }) =>
    invite.mutate({ body: { email, name, ...(roles.length > 0 && { role: roles }) } }),
  );
  return { form, invite, submit, faults: faultsOf(invite.error, names, aboutFields) };
};

const InviteForm = ({ onClose }: { onClose: () => void }) => {
  const { form, invite, submit, faults } = useInvite();
  const { register, control, formState } = form;
  const { errors } = formState;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <IdentityFields
        register={register}
        errors={{
          ...faults,
          ...(errors.email?.message && { email: errors.email.message }),
          ...(errors.name?.message && { name: errors.name.message }),
        }}
      />
      <RoleField control={control} error={faults.role} />
      {invite.error && Object.keys(faults).length === 0 && <FormError error={invite.error} />}
      <DialogButtons action="Send invitation" isBusy={invite.isPending} onCancel={onClose} />
    </form>
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
      title="Invite user"
      description="The user gets an email with a link to choose a password. The link also verifies their email."
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
    >
      <InviteForm onClose={giveUp} />
    </Dialog>
  );
};
