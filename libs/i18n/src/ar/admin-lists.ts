import type { adminLists as English } from "../en/admin-lists.ts";
import type { Translated } from "../message.ts";

/** The Arabic texts of lists of the admin web, and of its users, by namespace. */
export const adminLists: Translated<typeof English> = {
  faults: {
    tooLong: "استخدم {max} حرفًا على الأكثر.",
    json: "أدخل كائن JSON مثل {example}.",
    enterName: "أدخل اسمًا.",
    enterSlug: "أدخل اسمًا مختصرًا.",
    email: "أدخل بريدًا إلكترونيًا مثل name@example.com.",
    chooseUser: "اختر مستخدمًا.",
  },
  bulk: {
    failures: "ما فشل",
    retry: "إعادة محاولة ما فشل",
    title: "{action}: {rows}",
    progress: "اكتمل {done} من {total}",
    failed: "، فشل {count}",
    notStarted: "، ولم يبدأ الباقي",
    question: "{action}: {rows}؟",
    form: "{action}: {rows}",
    typedDelete: "حذف",
  },
  table: {
    showFitting: "عرض ما يتسع",
    columns: "الأعمدة",
    emptyPage: "لا صفوف في هذه الصفحة",
    firstPage: "الصفحة الأولى",
    emptyPageText: "حُذفت، أو انتقلت إلى صفحة أخرى.",
    clearSearch: "مسح البحث",
    noResultsText: "غيّر البحث أو عوامل التصفية.",
    selectRow: "تحديد {name}",
    selectPage: "تحديد هذه الصفحة فقط",
    selectAllRows: "تحديد كل ما في هذه الصفحة: {rows}",
    selectFirst: "تحديد أول {rows}",
    selectAll: "تحديد الكل: {rows}",
    selected: "، {count} محدد",
  },
  exports: {
    action: "تصدير",
    format: "التنسيق",
    title: "تصدير {rows}",
    text: "يحتوي الملف على كل ما يطابق البحث وعوامل التصفية الحالية ({rows})، بهذا الترتيب، بصيغة CSV. ويُفتح في أي برنامج جداول.",
    soFar: "{rows} حتى الآن…",
    done: "تم تصدير {rows}.",
    cut: "يحتوي الملف على {rows} على الأكثر. صفِّ القائمة لتصدير الباقي.",
  },
  pickers: {
    nameOrId: "الاسم أو المعرّف",
    id: "المعرّف {id}",
    searching: "جارٍ البحث…",
    hint: "البريد أو الاسم أو المعرّف",
    failed: "فشل البحث. عدّل النص للمحاولة مرة أخرى.",
    organization: "{name} (مؤسسة)",
    showAllUsers: "{rows} الخاصة بـ {name}: عرض جميع المستخدمين",
    showAllOrganizations: "{rows} الخاصة بـ {name}: عرض جميع المؤسسات",
  },
  durations: {
    hours:
      "{count, plural, zero {# ساعة} one {ساعة واحدة} two {ساعتان} few {# ساعات} many {# ساعة} other {# ساعة}}",
    days: "{count, plural, zero {# يوم} one {يوم واحد} two {يومان} few {# أيام} many {# يومًا} other {# يوم}}",
    minutes:
      "{count, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتان} few {# دقائق} many {# دقيقة} other {# دقيقة}}",
    seconds:
      "{count, plural, zero {# ثانية} one {ثانية واحدة} two {ثانيتان} few {# ثوانٍ} many {# ثانية} other {# ثانية}}",
    milliseconds:
      "{count, plural, zero {# ملي ثانية} one {ملي ثانية واحدة} two {# ملي ثانية} few {# ملي ثانية} many {# ملي ثانية} other {# ملي ثانية}}",
  },
  roles: {
    chooseOne: "اختر دورًا واحدًا على الأقل.",
    changed: "أدوار {email}: {roles}.",
    change: "تغيير الأدوار",
    any: "أي دور",
  },
  ban: {
    laterDay: "اختر اليوم أو يومًا لاحقًا.",
    reasonHint: "يُحفظ مع المستخدم وفي سجل التدقيق.",
    duration: "المدة",
    usual: "الافتراضي",
    year: "سنة واحدة",
    until: "حتى تاريخ",
  },
  fields: {
    notSet: "غير معيّن",
    inUtc: "بتوقيت UTC.",
    valuePerLine: "قيمة واحدة في كل سطر.",
    numberPerLine: "رقم واحد في كل سطر.",
    enterNumberPerLine: "أدخل رقمًا واحدًا في كل سطر.",
    enterDate: "أدخل تاريخًا ووقتًا.",
    enterValue: "أدخل قيمة.",
    enterNumber: "أدخل رقمًا.",
  },
  users: {
    password: {
      hint: "سلّمها إلى المستخدم. لن تظهر مرة أخرى.",
      generate: "توليد",
      copy: "نسخ كلمة المرور",
      enter: "أدخل كلمة مرور أو ولّدها.",
    },
    deleted: "مستخدم محذوف",
    theDeleted: "المستخدم المحذوف",
    thisUser: "هذا المستخدم",
    knownFromLeaks: "معروفة من تسريبات",
    states: {
      banned: "محظور",
      guest: "ضيف",
      unverified: "غير مؤكَّد",
      active: "نشط",
    },
    create: {
      title: "إنشاء مستخدم",
      done: "تم إنشاء {email}.",
      verification: "تأكيد البريد الإلكتروني",
      text: "تختار كلمة مرور وتسلّمها. لكي يختارها المستخدم بنفسه، ادعُه.",
    },
    invite: {
      title: "دعوة مستخدم",
      done: "تم إرسال الدعوة إلى {email}.",
      action: "إرسال الدعوة",
      text: "يتلقى المستخدم رسالة فيها رابط لاختيار كلمة مرور. ويؤكد الرابط بريده الإلكتروني أيضًا.",
    },
    canSignIn: "يمكنه تسجيل الدخول",
    signsInWith: "يسجّل الدخول عبر",
    lastSignIn: "آخر تسجيل دخول",
    signedUp: "تاريخ التسجيل",
    bulk: {
      unban: "رفع الحظر",
      ban: "حظر",
      banText:
        "يُسجَّل خروج المستخدمين من كل مكان، ولا يمكنهم تسجيل الدخول حتى ترفع الحظر عنهم. وحتى ذلك الحين تُرفض مفاتيح API الخاصة بهم أيضًا.",
      unbanText: "يمكن للمستخدمين تسجيل الدخول من جديد، وتعمل مفاتيح API الخاصة بهم من جديد.",
      signOutText:
        "تنتهي جميع جلسات المستخدمين على كل جهاز. يمكنهم تسجيل الدخول من جديد. وتظل مفاتيح API الخاصة بهم تعمل.",
      deleteText:
        "يُحذف المستخدمون نهائيًا مع جلساتهم وحساباتهم ومفاتيح API الخاصة بهم. لا يمكن التراجع عن ذلك.",
    },
    showAllOf: "عرض الكل: {title}",
    emailStates: {
      verified: "مؤكَّد",
      unverified: "غير مؤكَّد",
    },
    views: {
      save: "حفظ طريقة العرض",
      text: "يحصل البحث وعوامل التصفية والترتيب الحالية على رابط في التنقل في هذا المتصفح.",
      remove: "إزالة طريقة العرض",
    },
    filters: {
      anyState: "أي حالة",
      kind: "النوع",
      users: "المستخدمون",
      guests: "الضيوف",
      notBanned: "غير محظور",
      anyEmail: "أي بريد",
      anyFactor: "أي عامل",
      withFactor: "مع عامل تحقق ثانٍ",
      withoutFactor: "بدون عامل تحقق ثانٍ",
      anyTime: "أي وقت",
      today: "اليوم",
      anyMethod: "أي طريقة",
      clear: "مسح عوامل التصفية",
    },
    open: "فتح المستخدم",
    notInList: "لا تعرض القائمة في هذه الصفحة هذا المستخدم.",
    method: "الطريقة",
    search: "البحث في المستخدمين",
    searchHintWithUsername: "الاسم أو البريد أو اسم المستخدم أو المعرّف أو IP",
    searchHint: "الاسم أو البريد أو المعرّف أو عنوان IP",
    none: "لا مستخدمين بعد",
    noneText: "يظهر المستخدمون هنا عندما يسجّلون.",
  },
  verification: {
    atOnce: "يمكن للمستخدم تسجيل الدخول فورًا بكلمة المرور هذه.",
    ifRequired: "إذا كان البريد المؤكَّد مطلوبًا، فلا يمكن للمستخدم تسجيل الدخول إلا بعد تأكيده.",
    afterLink: "يمكن للمستخدم تسجيل الدخول بعد فتح الرابط في رسالة التأكيد.",
    notBefore: "لا يمكن للمستخدم تسجيل الدخول حتى يُؤكَّد بريده الإلكتروني.",
    passwordsOff: "تسجيل الدخول بكلمة مرور متوقف، لذلك لا يمكن للمستخدم استخدام كلمة المرور هذه.",
    leave: "تركه غير مؤكَّد",
    mail: "إرسال رسالة تأكيد",
    verified: "وضع علامة مؤكَّد",
    secondFactor: "يطلب أول تسجيل دخول إعداد عامل تحقق ثانٍ.",
  },
  rows: {
    about: "نحو {rows}",
    messages: {
      count:
        "{count, plural, zero {# رسالة فاشلة} one {رسالة فاشلة واحدة} two {رسالتان فاشلتان} few {# رسائل فاشلة} many {# رسالة فاشلة} other {# رسالة فاشلة}}",
      plural: "الرسائل الفاشلة",
    },
    options: {
      count:
        "{count, plural, zero {# خيار} one {خيار واحد} two {خياران} few {# خيارات} many {# خيارًا} other {# خيار}}",
      plural: "الخيارات",
    },
    users: {
      count:
        "{count, plural, zero {# مستخدم} one {مستخدم واحد} two {مستخدمان} few {# مستخدمين} many {# مستخدمًا} other {# مستخدم}}",
      plural: "مستخدمون",
    },
    organizations: {
      count:
        "{count, plural, zero {# مؤسسة} one {مؤسسة واحدة} two {مؤسستان} few {# مؤسسات} many {# مؤسسة} other {# مؤسسة}}",
      plural: "المؤسسات",
    },
    keys: {
      count:
        "{count, plural, zero {# مفتاح} one {مفتاح واحد} two {مفتاحان} few {# مفاتيح} many {# مفتاحًا} other {# مفتاح}}",
      plural: "المفاتيح",
    },
    members: {
      count:
        "{count, plural, zero {# عضو} one {عضو واحد} two {عضوان} few {# أعضاء} many {# عضوًا} other {# عضو}}",
      plural: "الأعضاء",
    },
    entries: {
      count:
        "{count, plural, zero {# قيد} one {قيد واحد} two {قيدان} few {# قيود} many {# قيدًا} other {# قيد}}",
      plural: "القيود",
    },
    events: {
      count:
        "{count, plural, zero {# حدث} one {حدث واحد} two {حدثان} few {# أحداث} many {# حدثًا} other {# حدث}}",
      plural: "الأحداث",
    },
    webhooks: {
      count:
        "{count, plural, zero {# خطاف ويب} one {خطاف ويب واحد} two {خطافا ويب} few {# خطافات ويب} many {# خطاف ويب} other {# خطاف ويب}}",
      plural: "خطافات الويب",
    },
    deliveries: {
      count:
        "{count, plural, zero {# عملية تسليم} one {عملية تسليم واحدة} two {عمليتا تسليم} few {# عمليات تسليم} many {# عملية تسليم} other {# عملية تسليم}}",
      plural: "عمليات التسليم",
    },
    emails: {
      count:
        "{count, plural, zero {# رسالة} one {رسالة واحدة} two {رسالتان} few {# رسائل} many {# رسالة} other {# رسالة}}",
      plural: "رسائل",
    },
  },
};
