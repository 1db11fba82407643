import type { Translation } from "../../messages.ts";

export const signUp: Translation<"front", "signUp"> = {
  title: "アカウントを作成",
  lead: "{{name}} を利用するには、アカウントが必要です。",
  name: "名前",
  enterName: "名前を入力してください。",
  username: "ユーザー名（任意）",
  submit: "アカウントを作成",
  hasAccount: "すでにアカウントをお持ちの場合",
  signIn: "サインイン",
  closed: {
    title: "新規登録は受け付けていません",
    text: "アカウントは招待を受けた場合にのみ作成されます。",
  },
  mailed: {
    title: "メールをご確認ください",
    text: "{{email}} にリンクをお送りしました。リンクを開いてメールアドレスを確認してから、サインインしてください。",
  },
};
