import type { CallDetail } from '@switchboard/client';
import type { ReactNode } from 'react';
import { Copy } from '../../ui/copy.tsx';
import { FactList } from '../../ui/facts.tsx';
import { Section } from '../../ui/page.tsx';

/** The SIP facts of a call, to find it in the traces of a carrier; nothing if none is known. */
export function Sip({ call: { sip, sip_status_code } }: { call: CallDetail }) {
  if (!sip) return null;
  const { q850_cause, jitter_ms, packet_loss_percent } = sip;
  const facts: [string, ReactNode][] = [
    ['Call-ID', sip.call_id && <IdWithCopy key="id" id={sip.call_id} label="Copy the Call-ID" />],
    [
      'Bridge’s id',
      sip.bridge_call_id && <IdWithCopy key="bridge" id={sip.bridge_call_id} label="Copy the bridge’s id" />,
    ],
    [
      'Carrier’s id',
      sip.carrier_call_id && <IdWithCopy key="carrier" id={sip.carrier_call_id} label="Copy the carrier’s id" />,
    ],
    ['SIP status', sip_status_code],
    ['Q.850 cause', q850_cause === null ? null : String(q850_cause)],
    ['Codec', sip.codec],
    ['Jitter', jitter_ms === null ? null : `${jitter_ms} ms`],
    ['Packet loss', packet_loss_percent === null ? null : `${packet_loss_percent} %`],
    ['Headers received', headersOf(sip.headers_in)],
    ['Headers sent', headersOf(sip.headers_out)],
  ];
  return (
    <Section title="SIP">
      <FactList facts={facts} variables={null} metadata={null} />
    </Section>
  );
}

/** Null for none. */
function headersOf(headers: Record<string, string>): ReactNode {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return entries.map(([name, value]) => (
    <code key={name} className="value">
      {name}: {value}
    </code>
  ));
}

function IdWithCopy({ id, label }: { id: string; label: string }) {
  return (
    <span className="id">
      <code className="clip">{id}</code>
      <Copy text={id} label={label} />
    </span>
  );
}
