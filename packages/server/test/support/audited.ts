/** Operations without entries, by the reason. */
export const NOT_AUDITED: Record<string, string> = {
  'it shows what its caller may see anyway, and neither secrets nor transcripts':
    'getQuota listRecordings getRecordingLevels listAgents listUsers getUser getAgent getAgentCallbackUrl getAgentExternalKey getAgentLegalHold getAgentByExternalKey getAgentDraft listAgentVersions getAgentVersion diffAgentVersions getAgentRelease listAgentReleases getCall getCallStatus listSessions getSession getSessionByRoom listTurns getLatency listNumbers getBudget getCostSummary listCostsByAgent getCostTimeline getSessionCosts listCallbacks listApiKeys listWebhookEndpoints getWebhookEndpoint getConsoleSession getSettings getMetrics getCallJob listWork getChat listScenarios getScenario listSuites getSuite listTestRuns getTestRun getCassette listExtractors getExtractor getAnalysisBackfill listAnalysisBackfills getAnalysisStats listDialPolicies getDialPolicy listSuppressionChanges listConsents listDialDecisions checkDial listScheduledCalls getScheduledCall listCampaigns getCampaign getCampaignStats previewCampaign getRecipient',
  'the row that it writes, or its timeline, is the record':
    'startOutboundCall createSession addTranscript reportRecording addRecordingSegment reportTurns reportFailedOver startChat forkChat sendChatMessage endChat startTestRun cancelTestRun proposeCallBack confirmCallBack',
  'it is for workers and media servers, once for each call or message':
    'lookupNumber receiveMediaEvent claimTasks reportTaskEvents extendTask completeTask failTask',
  'it is the same for everybody':
    'getAgentConfigSchema validateAgentConfig getWorkerJobSchema getSignInMethods getEvidenceKeys getHealth getReadiness',
};

/** Operations whose entries need no `before` and `after`: they read, or do something, and set nothing that stays. */
export const ACTS = `assignNumber releaseNumber sayInCall instructAgent pressKeys takeOverCall listenToCall rewindChat draftScenario
  replayCall listTestResults cancelAnalysisBackfill listAnalyses cancelScheduledCall addSuppressions listSuppressions
  deleteSuppression addRecipients listRecipients startCampaign pauseCampaign resumeCampaign cancelCampaign addConsent
  revokeConsent createRecordingLink getRecordingAudio deleteRecording createStreamToken createEventsToken streamCallEvents
  streamEvents createRoomToken startWebCall transferCall completeTransfer endCall endSessionByRoom listCalls getCallEvidence
  getDecisionEvidence listTranscripts exportCalls listUsageEvents listPrices applyPrices getCostReport getCallStats
  redeliverCallback redeliverCallbacks getCallbackSecret rotateCallbackSecret testWebhookEndpoint revokeApiKey signIn signOut
  signOutEverywhere checkProvider checkFunction runDoctor listAuditEntries eraseUser`;
