/** People and machines that answer a phone, told apart by their first words in English, Spanish, German and French. */

/** Answers as the library names them. */
type Label = 'human' | 'machine-ivr' | 'machine-vm' | 'machine-unavailable';

/** Phrases, of which one in any language is enough. */
const any = (...phrases: string[]): RegExp => new RegExp(phrases.map((one) => `\\b(?:${one})`).join('|'));

/** A machine that takes no message now: a full mailbox, or a network that has nobody at the number. */
const UNAVAILABLE = any(
  '(?:mail ?box|voice ?mail) .{0,60}(?:full|not been set up|not set up|cannot accept)',
  '(?:number .{0,40}disconnected|no longer in service|not in service|switched off|out of coverage)\\b',
  '(?:mailbox|anrufbeantworter|sprachbox) .{0,40}(?:voll|nicht eingerichtet)\\b',
  'kein anschluss unter|nicht vergeben\\b',
  'buzon .{0,40}(?:lleno|no admite|no esta configurado)\\b',
  '(?:apagado|fuera de (?:cobertura|servicio)|numero .{0,30}no (?:existe|esta (?:en servicio|asignado)))\\b',
  '(?:messagerie|boite vocale|repondeur) .{0,40}(?:plein|saturee|ne peut plus)',
  "(?:n[' ]est (?:pas|plus) (?:attribue|en service)|hors service)",
);
/** The network speaks about whoever was called. */
const ANNOUNCED = any(
  "(?:person|party|customer|subscriber|number|user) (?:that )?you(?: have|'ve| are|'re)? (?:call|dial|reach|try)",
  'gewunschte (?:teilnehmer|gesprachspartner|person)|gewahlte (?:ruf)?nummer',
  '(?:teilnehmer|rufnummer) .{0,30}nicht (?:erreichbar|verfugbar)',
  '(?:persona|abonado|numero|telefono|usuario) (?:a la |al |a los )?que (?:usted )?(?:llama|ha llamado|marco|ha marcado|esta llamando)',
  '(?:votre correspondant|(?:numero|personne) (?:que vous|demande))',
);
/** A tone that somebody is to wait for. */
const TONE = any(
  '(?:at|after|wait for|following|hear) the (?:tone|beep|bleep|signal)',
  '(?:nach|auf|bis zum|warten sie den|horen sie den) (?:dem |den |diesem )?(?:signal|ton\\b|piep|pfeif)',
  '(?:tras|despues|escuch\\w+|oi[rga]\\w*|suene) (?:de )?(?:oir )?(?:el |la )?(?:senal|tono|pitido|bip)',
  '(?:apres|au|attendez) (?:le |la )?(?:bip|signal|tonalite)|(?:apres|attendez) (?:le )?top\\b',
);
/** A message that somebody is to leave, or what takes it. */
const RECORDS = any(
  'voice ?mail|answering (?:machine|service|system)|voice messag',
  '(?:leave|record|send)(?: (?:me|us))?(?: (?:a|an|your|the|my))?(?: (?:brief|short|detailed|quick|few))?(?: (?:message|name|number|words?|details|info))',
  'mailbox|anrufbeantworter|sprachbox|hinterlass',
  '(?:nachricht|namen|nummer) .{0,40}(?:hinterlassen|aufsprechen|sprechen|rufen wir|rufe ich)',
  'sprechen sie .{0,30}nach dem',
  'buzon|contestador|correo de voz',
  '(?:deje|deja|dejen|dejar|grab)\\w* .{0,30}(?:mensaje|nombre|recado|numero|telefono|datos)',
  'repondeur|messagerie|boite vocale|(?:laiss|enregistr)\\w* .{0,20}(?:message|nom|numero|coordonnees)',
);
/** Machines that ask somebody first whether to take the call. */
const SCREENING = any(
  "(?:reason|purpose) (?:for|of) (?:your |the )?call|why you(?:'re| are) calling|screening",
  'grund (?:ihres|deines|fur (?:den|ihren|deinen)) anruf|worum es .{0,20}geht, (?:und|dann)',
  'motivo de (?:la|su|tu) llamada|filtro de llamadas',
  "(?:raison|motif|objet) de (?:votre|ton|l[' ]) ?appel|filtre (?:ses|les|d[' ]) ?appels",
);
const KEY = {
  en: '(?:\\d|zero|one|two|three|four|five|six|seven|eight|nine|star|pound|hash|any key)\\b',
  de: '(?:\\d|null|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|raute|stern)',
  es: '(?:\\d|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|almohadilla|asterisco|numeral)\\b',
  fr: '(?:\\d|zero|un|deux|trois|quatre|cinq|six|sept|huit|neuf|diese|etoile)\\b',
};
/** A menu asks for keys, or for one of the words it knows. */
const MENU = any(
  `(?:press|dial|push|hit) (?:the )?(?:number |key )?${KEY.en}`,
  '(?:enter|key in) your .{0,40}(?:number|code|pin|digits?)|(?:the|your) (?:pound|hash|star) (?:key|sign)',
  "(?:know|dial) (?:your party'?s |the |an )?extension|for .{2,40}, say ",
  `(?:drucken|wahlen) sie (?:bitte )?(?:die )?${KEY.de}|(?:bestatigen|schliessen) sie .{0,30}(?:raute|stern)`,
  `uber die tastatur|sagen sie (?:mir )?(?:bitte )?(?:in wenigen worten|einfach)`,
  `(?:marque|pulse|presione|oprima|digite|teclee) (?:el |la |tecla )?${KEY.es}`,
  `(?:conoce|marque) (?:la|el numero de) extension|(?:introduzca|ingrese|teclee) .{0,40}(?:numero|codigo|clave)`,
  `(?:tapez|appuyez sur|composez) (?:le |la |touche )?${KEY.fr}|faites (?:le |la touche )${KEY.fr}`,
  `(?:saisissez|composez) votre .{0,30}(?:numero|code)|pour .{2,40}, (?:dites|tapez)`,
);
/** Said by those who do not hear an answer, unless they ask something: businesses answer so, too. */
const ABSENT = any(
  "you(?:'ve| have) (?:just )?(?:reached|missed)|(?:can'?t|cannot|unable to) (?:come|get|make it) to the phone",
  "(?:can'?t|cannot|unable to) (?:take|answer) your call",
  '(?:kann|konnen) .{0,30}nicht (?:rangehen|drangehen|ans telefon|entgegennehmen)',
  'no (?:puedo|podemos) (?:contestar|coger|responder|atender (?:su|tu|la) llamada)',
  'ne (?:peux|peut|pouvons) .{0,15}(?:repondre|decrocher)',
);

const ASKS = any('how (?:can|may) (?:i|we)', 'this is \\w+ speaking', "who(?:'s| is) calling");

const plain = (transcript: string): string =>
  transcript.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('’', "'").toLowerCase();

/** Whether a machine says this that takes messages, or none. */
export function isMailbox(transcript: string): boolean {
  const words = plain(transcript);
  return [UNAVAILABLE, TONE, RECORDS].some((phrases) => phrases.test(words));
}

/** The label for the words of whoever answered a phone. */
export function answeredBy(transcript: string): Label {
  const words = plain(transcript);
  if (UNAVAILABLE.test(words)) return 'machine-unavailable';
  if (TONE.test(words)) return 'machine-vm';
  // The library counts machines that screen calls among the menus.
  if (SCREENING.test(words)) return 'machine-ivr';
  if (RECORDS.test(words)) return 'machine-vm';
  if (MENU.test(words)) return 'machine-ivr';
  if (ANNOUNCED.test(words)) return 'machine-unavailable';
  return ABSENT.test(words) && !ASKS.test(words) ? 'machine-vm' : 'human';
}
