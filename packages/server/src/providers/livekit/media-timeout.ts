import { SIPMediaConfig } from '@livekit/protocol';

/** The media settings of a phone. Its audio may pause for as long: on hold, many phones send none. */
export function mediaConfig(timeoutS: number): SIPMediaConfig {
  return new SIPMediaConfig({ mediaTimeout: { seconds: BigInt(timeoutS), nanos: 0 } });
}

/** The time in seconds for which the audio may pause; undefined where the bridge's own setting applies. */
export function mediaTimeoutOf(media: SIPMediaConfig | undefined): number | undefined {
  return media?.mediaTimeout && Number(media.mediaTimeout.seconds);
}
