/**
 * Planted secrets and harmless lines, which the tests and the figures of docs/privacy.md use. `<card|4242…>` is a
 * secret with its kind; a list is a conversation, in which lines of the agent begin with `A: `. Cards and accounts are
 * the published test numbers of their networks and registries; phone numbers and addresses are fictional or reserved.
 */

export type Language = 'en' | 'es' | 'de' | 'fr';

interface Secret {
  form: string;
  language: Language;
  lines: string | string[];
}

function forms(form: string, lines: Partial<Record<Language, (string | string[])[]>>): Secret[] {
  return Object.entries(lines).flatMap(([language, all]) =>
    all.map((one) => ({ form, language: language as Language, lines: one })),
  );
}

export const SECRETS: Secret[] = [
  ...forms('card, written', {
    en: ['My card is <card|4242 4242 4242 4242>, expiry 12/28.', 'Charge <card|378282246310005> please.'],
    es: ['La tarjeta es <card|5555-5555-5555-4444>, gracias.'],
    de: ['Bitte <card|5105105105105100> belasten.'],
    fr: ['Ma carte, c’est <card|4000 0566 5566 5556>.'],
  }),
  ...forms('card, digit by digit', {
    en: [
      'Sure, <card|four two four two four two four two four two four two four two four two>.',
      'It is <card|3 7 8 2 8 2 2 4 6 3 1 0 0 0 5>, okay?',
    ],
    es: ['Es el <card|cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos>.'],
    de: ['Also <card|vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei>.'],
    fr: [
      'C’est le <card|quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux>.',
    ],
  }),
  ...forms('card, in pairs', {
    en: ['<card|forty-two forty-two forty-two forty-two forty-two forty-two forty-two forty-two>'],
    es: [
      'Apunte: <card|cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos>.',
    ],
    de: [
      'Ja, <card|zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig>.',
    ],
    fr: [
      'Voici : <card|quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux>.',
    ],
  }),
  ...forms('card, with “double” and “triple”', {
    en: ['<card|five five double five, triple five five, five five five five, double four double four>'],
    es: ['<card|doble cinco doble cinco, doble cinco doble cinco, doble cinco doble cinco, doble cuatro doble cuatro>'],
    de: ['<card|doppel fünf doppel fünf, fünf fünf fünf fünf, doppel fünf doppel fünf, vier vier doppel vier>'],
    fr: ['<card|double cinq double cinq, cinq cinq cinq cinq, double cinq double cinq, quatre quatre double quatre>'],
  }),
  ...forms('card, with pauses and fillers', {
    en: ['It’s <card|4242, uh, 4242... and then 4242, 4242>.'],
    es: ['Es <card|4242, eh, 4242, y luego 4242, 4242>.'],
    de: ['Die <card|4242, ähm, 4242 … und dann 4242, 4242>.'],
    fr: ['C’est <card|4242, euh, 4242, et puis 4242, 4242>.'],
  }),
  ...forms('card, in four turns after a question', {
    en: [
      [
        'A: What is your card number?',
        '<card|4242>',
        'A: Go on.',
        '<card|4242>',
        '<card|four two four two>',
        '<card|4242>.',
      ],
    ],
    es: [
      [
        'A: ¿Cuál es el número de su tarjeta?',
        '<card|4242>',
        '<card|4242>',
        '<card|cuatro dos cuatro dos>',
        '<card|4242>',
      ],
    ],
    de: [['A: Wie ist Ihre Kartennummer?', '<card|4242>', '<card|4242>', '<card|vier zwei vier zwei>', '<card|4242>']],
    fr: [
      [
        'A: Quel est le numéro de votre carte ?',
        '<card|4242>',
        '<card|4242>',
        '<card|quatre deux quatre deux>',
        '<card|4242>',
      ],
    ],
  }),
  ...forms('card, in turns, from the second on', {
    en: [['4242', '<card|4242>', '<card|4242>', '<card|4242>']],
    es: [['4000', '<card|0566>', '<card|5566>', '<card|5556>']],
    de: [
      ['vier zwei vier zwei', '<card|vier zwei vier zwei>', '<card|vier zwei vier zwei>', '<card|vier zwei vier zwei>'],
    ],
    fr: [['5555', '<card|5555>', '<card|5555>', '<card|4444>']],
  }),
  ...forms('card, in other digits', {
    en: ['Paste: <card|４２４２４２４２４２４２４２４２>'],
    de: ['Nummer <card|4242–4242–4242–4242>'],
  }),
  ...forms('card, in the arguments of a tool', {
    en: ['{"number":"<card|4242424242424242>","exp":"12/28"}'],
    fr: ['numero=<card|5555555555554444>&total=19.90'],
  }),
  ...forms('IBAN, written', {
    en: ['Send it to <iban|GB82 WEST 1234 5698 7654 32> today.'],
    es: ['A la cuenta <iban|ES91 2100 0418 4502 0005 1332>.'],
    de: ['Auf <iban|DE89370400440532013000> bitte.'],
    fr: ['Mon IBAN : <iban|FR14 2004 1010 0505 0001 3M02 606>.'],
  }),
  ...forms('IBAN, spelled', {
    en: ['<iban|G B eight two W E S T one two three four five six nine eight seven six five four three two>'],
    es: [
      'Es <iban|E S nueve uno dos uno cero cero cero cuatro uno ocho cuatro cinco cero dos cero cero cero cinco uno tres tres dos>',
    ],
    de: [
      '<iban|D E acht neun drei sieben null vier null null vier vier null fünf drei zwei null eins drei null null null>',
    ],
    fr: ['<iban|F R 14 20 04 10 10 05 05 00 01 3 M 02 606>'],
  }),
  ...forms('e-mail address, written', {
    en: ['Write to <email|ann_b+x@mail.example.co.uk>, please.'],
    es: ['Mi correo es <email|perez.ana@ejemplo.es>.'],
    de: ['An <email|max.mustermann@beispiel-firma.de> bitte.'],
    fr: ['C’est <email|jean-dupont@exemple.fr>, merci.'],
  }),
  ...forms('e-mail address, spoken', {
    en: [
      'It’s <email|john dot smith at example dot com>.',
      'That is <email|j o h n four two at g mail dot com>.',
      'Use <email|ann underscore bell at example dot org> then.',
    ],
    es: [
      'Es <email|ana punto pérez arroba ejemplo punto es>.',
      'Sí, <email|ana guion bajo ruiz arroba ejemplo punto com>.',
    ],
    de: [
      'Das ist <email|max Punkt mustermann Klammeraffe beispiel Bindestrich firma Punkt de>.',
      '<email|anna at beispiel Punkt de>',
    ],
    fr: ['C’est <email|jean tiret dupont arobase exemple point fr>.'],
  }),
  ...forms('phone number, written', {
    en: ['Call me at <phone|(415) 555-2671>.', 'Or <phone|+44 20 7946 0958> in London.'],
    es: ['Mi móvil es <phone|612 345 678>.'],
    de: ['Unter <phone|0151 23456789> bin ich da.'],
    fr: ['Appelez le <phone|06 12 34 56 78>.'],
  }),
  ...forms('phone number, spoken', {
    en: [
      'It’s <phone|four one five, two five five, two six seven one>.',
      '<phone|plus four nine, one five one, two three four five six seven eight nine>',
    ],
    es: ['Es el <phone|seiscientos doce, trescientos cuarenta y cinco, seiscientos setenta y ocho>.'],
    de: ['Die <phone|null eins fünf eins zwei drei vier fünf sechs sieben acht neun>.'],
    fr: ['Le <phone|zéro six douze trente-quatre cinquante-six soixante-dix-huit>.'],
  }),
  ...forms('social security number', {
    en: [
      'It is <ssn|123-45-6789>.',
      'My social security number is <ssn|one two three, forty-five, six seven eight nine>.',
      ['A: And your social security number?', 'Sure: <ssn|123456789>.'],
    ],
    es: ['Mi número de la seguridad social es <ssn|28 12345678 40>.'],
    de: ['Sozialversicherungsnummer <ssn|65 180539 W 001>.'],
    fr: ['Mon numéro de sécurité sociale : <ssn|1 84 12 76 451 089 46>.'],
  }),
];

/** Lines in which nothing may be replaced. */
export const HARMLESS: Record<Language, string[]> = {
  en: [
    'I would like to move my appointment to Tuesday at half past ten.',
    'The order number is 123456789012345, from 2026-01-15.',
    'Order 4155552671 has shipped.',
    'Your tracking number is 1Z999AA10123456784.',
    'That is $1,234.50, or 1,500,000 in total.',
    'We are open from 9:00 to 17:30, and on 12/24 until noon.',
    'Meet me at the shop at five. Then we go on.',
    'Visit us at example.com or www.example.com.',
    'The code is 4821.',
    'Two of the five people came at ten.',
    'The winning numbers are 4, 8, 15, 16, 23, 42.',
    'It costs four hundred and twenty dollars.',
    'In two thousand twenty-six we had twenty-four shops.',
    'Room four two seven, second floor.',
    'Version 1.2.3.4 of the app, build 20260115.',
    'Session 01980000-0000-7000-8000-000000000001.',
    'Press one for sales, two for support, three for billing.',
    'My flight is BA 2490 at 7:45 pm.',
    'I paid by card, and the number of guests is 12.',
    'One moment, oh, one more thing.',
  ],
  es: [
    'Quisiera cambiar mi cita al martes a las diez y media.',
    'El pedido 612345678 llega el 15/01/2026.',
    'Son 1.234,50 euros, y dos o tres días.',
    'Abrimos de 9:00 a 20:00.',
    'Somos cuarenta y dos personas.',
    'El código es 4821.',
    'De 89 a 95 hay siete.',
    'Vivo en la calle Mayor, número 28, piso 3.',
    'El punto de encuentro es la plaza.',
    'Un momento, por favor, uno más.',
  ],
  de: [
    'Ich möchte meinen Termin auf Dienstag um halb drei verschieben.',
    'Die Bestellnummer ist 015123456789.',
    'Das macht 1.234,50 Euro, also etwa tausend zweihundert.',
    'Wir haben von 9:00 bis 17:30 Uhr geöffnet.',
    'Es sind vierundzwanzig Gäste, nicht zweiundvierzig.',
    'Mein Code ist 4821.',
    'Am 24.12.2026 um acht Uhr.',
    'Achtung, der Zug um sieben fällt aus.',
    'Der Punkt ist: Wir sind at home, Punkt.',
    'Postleitzahl 10115, Berlin, Hausnummer 12.',
    'Ein Zimmer für zwei, null Problem.',
  ],
  fr: [
    'Je voudrais déplacer mon rendez-vous à mardi à dix heures et demie.',
    'La commande 0612345678 arrive le 15/01/2026.',
    'Cela fait 1 234,50 euros, soit mille deux cents environ.',
    'Nous ouvrons de 9 h 00 à 18 h 30.',
    'Il y a quatre-vingt-dix-sept personnes.',
    'Le code est 4821.',
    'Un moment, deux minutes, trois au plus.',
    'De six à sept, le point de vue est beau.',
    'Le lot 7845 contient douze pièces.',
    'Le train de sept heures vingt est parti.',
  ],
};

/** Secrets that are not found; the figures count them. Should one be found some day, move it above. */
export const MISSED: Secret[] = [
  ...forms('first part of a number that nobody asked for', {
    en: [['<card|4242>', 'Wait a moment.']],
    es: [['<card|4000>', 'Un momento, que lo busco.']],
    de: [['<card|vier zwei vier zwei>', 'Einen Moment bitte noch.']],
    fr: [['<card|5555>', 'Un instant, je vous prie.']],
  }),
  ...forms('card, with a digit that was heard wrongly', { en: ['It is <card|4242 4242 4242 4241>.'] }),
  ...forms('IBAN, spelled with words', {
    de: ['<iban|D wie Dora E wie Emil 89 3704 0044 0532 0130 00>'],
  }),
  ...forms('card, by two people in turn', {
    en: [['A: <card|four two four two four two four two>', '<card|4242 4242>']],
  }),
];

/** Harmless lines in which something is replaced; the figures count them. */
export const MISTAKEN: { language: Language; line: string }[] = [
  { language: 'en', line: 'Count with me: one two three four five six seven eight nine ten.' },
  { language: 'en', line: 'Your voucher is 4111 1111 1111 1111.' },
];
