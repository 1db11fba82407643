import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { takesUsernames } from "../../components/takes-usernames.ts";
import type { User } from "./user.ts";

const isWebAddress = (text: string): boolean =>
  text === "" || (URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol));

const useProfileForm = (user: User) => {
  const { t } = useTranslation("profile");
  const valuesOf = ({ name, image, displayUsername, username }: User) => ({
    name,
    image: image ?? "",
    username: displayUsername ?? username ?? "",
  });
  const form = useForm({
    values: valuesOf(user),
    // A reading in the background replaces only what the user has not changed.
    resetOptions: { keepDirtyValues: true },
  });
  const save = useAct(operations.identity.updateUser, { done: t("you.saved") });
  const { dirtyFields } = form.formState;
  const onSubmit = form.handleSubmit(({ name, image, username }) => {
    save.mutate({
      body: {
        ...(dirtyFields.name && { name: name.trim() }),
        ...(dirtyFields.image && { image: image.trim() || null }),
        ...(dirtyFields.username && { username: username.trim() }),
      },
    });
  });
  return { ...form, save, onSubmit };
};

/** Changes what the user shows to others. */
export const ProfileForm = ({ user }: { user: User }) => {
  const { t } = useTranslation(["profile", "errors"]);
  const { register, formState, save, onSubmit } = useProfileForm(user);
  const { errors, isDirty } = formState;
  const required = (text: string) => text.trim() !== "" || t("errors:required");
  return (
    <Panel title={t("you.title")} text={t("you.text")}>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void onSubmit(event)}>
        <div className="flex items-center gap-3">
          <Picture name={user.name} address={user.image} />
          <p className="min-w-0 font-medium break-words">{user.name}</p>
        </div>
        <TextField
          {...register("name", { validate: required })}
          label={t("you.name")}
          error={errors.name?.message}
          autoComplete="name"
          dir="auto"
        />
        {takesUsernames && (
          <TextField
            {...register("username")}
            label={t("you.username")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
        )}
        <TextField
          {...register("image", {
            validate: (text) => isWebAddress(text.trim()) || t("you.imageFault"),
          })}
          label={t("you.image")}
          hint={t("you.imageHint")}
          error={errors.image?.message}
          type="url"
          inputMode="url"
          autoComplete="photo"
          dir="ltr"
        />
        {save.error && <FormError error={save.error} />}
        <div>
          <Button type="submit" kind="primary" disabled={!isDirty} isBusy={save.isPending}>
            {t("you.save")}
          </Button>
        </div>
      </form>
    </Panel>
  );
};
