import type { Translation } from "../../messages.ts";

export const password: Translation<"front", "password"> = {
  newPassword: "新しいパスワード",
  hint_other: "{{count}} 文字以上。",
  tooShort_other: "{{count}} 文字以上にしてください。",
  tooLong: "もっと短いパスワードを設定してください。",
  backToSignIn: "サインインに戻る",
  forgot: {
    title: "パスワードの再設定",
    text: "メールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。",
    submit: "リンクを送信",
  },
  sent: {
    title: "メールをご確認ください",
    text: "{{email}} のアカウントがある場合は、リンクが届きます。使用できるのは 1 回だけで、有効期限は短時間です。",
  },
  reset: { title: "新しいパスワードを設定", submit: "パスワードを保存" },
  changed: {
    title: "パスワードが変更されました",
    text: "新しいパスワードでサインインしてください。",
    signIn: "サインイン",
  },
  linkFailed: {
    title: "このリンクは使用できませんでした",
    text: "使用済みか、有効期限が切れています。新しいリンクをリクエストしてください。",
    again: "新しいリンクをリクエスト",
  },
};
